"""Find people of a list by their whole names in names of files, as e-mails bring them."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from course.grading.reading.file_names import clean

_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_FEWEST = 2  # words: one alone may stand in a file's name for something else
_NUMBER = re.compile(r"(\d+)")


def name_words(name: str) -> list[str]:
    """Return the words of a name in speaking order, without accents, case and punctuation.

    >>> name_words("Müller, Jürg")
    ['jurg', 'muller']
    """
    last, comma, first = name.partition(",")
    text = unicodedata.normalize("NFKD", f"{first} {last}" if comma else name).casefold()
    text = "".join(c if c.isalnum() else " " for c in text if not unicodedata.combining(c))
    return text.translate(_PLAIN).split()


class WholeNames:
    """The names of a class, to be found in names of files."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Args: the names, each as often as there are people of that name."""
        self._by_word: dict[str, list[tuple[int, str, Counter[str]]]] = {}
        for index, name in enumerate(map(clean, names)):
            for form in (name, name.casefold().translate(_WRITTEN_OUT)):
                words = _counted(form)
                if words.total() >= _FEWEST:
                    self._by_word.setdefault(min(words), []).append((index, name, words))

    def in_file(self, file: str) -> str:
        """Return whose whole name the name of a file holds; "" if that is nobody, or several.

        >>> WholeNames(["Jürg Müller", "Ada Lovelace"]).in_file("mueller_juerg_05.ipynb")
        'Jürg Müller'
        """
        words = _counted(file)
        fitting = {
            (index, name)
            for word in words
            for index, name, wanted in self._by_word.get(word, ())
            if wanted <= words
        }
        return min(fitting)[1] if len(fitting) == 1 else ""


def _counted(text: str) -> Counter[str]:
    return Counter(name_words(_NUMBER.sub(r" \1 ", text)))
