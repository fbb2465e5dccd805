"""Read times as Moodle writes them in words, in the languages whose months are in the table."""

import re
import unicodedata
from datetime import datetime

_MONTHS = """
january   januar jänner janvier     enero      gennaio   januari   janeiro
february  februar       février     febrero    febbraio  februari  fevereiro
march     märz          mars        marzo      marzo     maart     março
april     april         avril       abril      aprile    april     abril
may       mai           mai         mayo       maggio    mei       maio
june      juni          juin        junio      giugno    juni      junho
july      juli          juillet     julio      luglio    juli      julho
august    august        août        agosto     agosto    augustus  agosto
september september     septembre   septiembre settembre september setembro
october   oktober       octobre     octubre    ottobre   oktober   outubro
november  november      novembre    noviembre  novembre  november  novembro
december  dezember      décembre    diciembre  dicembre  december  dezembro
"""
_NUMBERS = {
    name: number
    for number, line in enumerate(_MONTHS.strip().splitlines(), start=1)
    for name in line.split()
}
_WORD = r"[^\W\d_]+"
_DATE = re.compile(
    rf"(?:{_WORD}(?:-{_WORD})?,? )?"  # the day of the week
    rf"(?:(?P<day>\d{{1,2}})\.? (?:de )?(?P<month>{_WORD}) (?:de )?|"
    rf"(?P<us_month>{_WORD}) (?P<us_day>\d{{1,2}}), )"
    r"(?P<year>\d{4}), (?P<hour>\d{1,2}):(?P<minute>\d{2})(?: (?P<half>am|pm))?"
)


def moodle_time(text: str) -> str:
    """Return a time as ISO writes it; "" for what is none, or is in another language.

    >>> moodle_time("Friday, 20 November 2026, 11:59 PM"), moodle_time("-")
    ('2026-11-20T23:59:00', '')
    >>> moodle_time("Saturday, November 7, 2026, 6:01 PM")
    '2026-11-07T18:01:00'
    """
    match = _DATE.fullmatch(unicodedata.normalize("NFC", " ".join(text.split())).casefold())
    month = _NUMBERS.get(match["month"] or match["us_month"]) if match else None
    if match is None or month is None:
        return ""
    hour, day = int(match["hour"]), int(match["day"] or match["us_day"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return ""
        hour = hour % 12 + (12 if match["half"] == "pm" else 0)
    try:
        return datetime(int(match["year"]), month, day, hour, int(match["minute"])).isoformat()
    except ValueError:
        return ""
