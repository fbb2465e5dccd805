"""Predictions that are objects of their own kind, and a check that is told to be quiet."""

from tests.hostile.make import trick

CASES = [
    trick(
        "a number that equals everything",
        """
class Yes(float):
    def __eq__(self, other):
        return True
    def __sub__(self, other):
        return 0.0
    __rsub__, __hash__ = __sub__, float.__hash__
third_power = third_power_one = third_power_two = [Yes(0), Yes(0), Yes(0)]
""",
        "failed",
        task="5.3",
        whole=True,
    ),
    trick(
        "NaN and infinity",
        """
third_power = [float("nan")] * 3
third_power_one = [float("inf")] * 3
third_power_two = [float("nan"), float("-inf"), "nan"]
""",
        "failed",
        task="5.3",
        whole=True,
    ),
    trick(
        "a sequence that changes from look to look",
        """
from collections.abc import Sequence
class Moving(Sequence):
    looks = 0
    def __len__(self):
        return 3
    def __getitem__(self, place):
        Moving.looks += 1
        if place > 2:
            raise IndexError
        return Moving.looks
third_power = third_power_one = third_power_two = Moving()
""",
        "failed",
        task="5.3",
        whole=True,
    ),
    trick(
        "a sequence without end",
        """
from collections.abc import Sequence
class Endless(Sequence):
    def __len__(self):
        return 3
    def __getitem__(self, place):
        return 6
third_power = third_power_one = third_power_two = Endless()
""",
        task="5.3",
        whole=True,
    ),
    trick(
        "a list that holds itself",
        "third_power = third_power_one = third_power_two = [1]\nthird_power.append(third_power)",
        task="5.3",
        whole=True,
    ),
    trick(
        "a text that would be a formula, and a page",
        """
third_power = third_power_one = "=cmd|' /C calc'!A0"
third_power_two = "</td></table><script>alert(1)</script>" + chr(0) + chr(27) + "[31m"
""",
        "failed",
        task="5.3",
        whole=True,
    ),
    trick(
        "a text with a lone surrogate",
        "third_power = third_power_one = third_power_two = chr(0xD800)",
        task="5.3",
        whole=True,
    ),
    trick(
        "all guesses at once",
        "third_power = third_power_one = third_power_two = [6, 72, 36, 144, 0, 12, 24, 48]",
        "failed",
        task="5.3",
        whole=True,
    ),
    trick(
        "a number with a million digits",
        "third_power = third_power_one = third_power_two = 10 ** 1_000_000",
        task="5.3",
        whole=True,
    ),
    trick(
        "a list of ten million numbers",
        "third_power = third_power_one = third_power_two = [6] * 10_000_000",
        task="5.3",
        whole=True,
    ),
]
