"""Absence notes: how their subjects and their texts say that somebody is away, and until when. Words only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, timedelta

_MOST_CHARS = 4_000  # an absence note says it at the top

_SUBJECT = re.compile(  # of folded text
    r"(?:auto(?:matic|mated|matische?|matica|matico|matique|matisk\w*)?[ -]?(?:e-?mail[ -]?)?(?:repl(?:y|ies)"
    r"|response|antw(?:ort|oord)|svar)"
    r"|autorepl\w*|auto-?respon\w*|out[ -]of[ -](?:the[ -])?office|ooo\b|\booto\b|away from (?:the |my )?(?:office"
    r"|desk|e?-?mail)|on (?:vacation|holiday|leave|annual leave"
    r"|maternity leave|parental leave|sick leave)|vacation (?:reply|response|message|notice|auto)"
    r"|(?:currently )?away\b|i am away|i'm away"
    r"|abwesenheit\w*|abwesend|automatische (?:antwort|nachricht|rueckmeldung|e-?mail)|nicht im (?:buero|haus)"
    r"|im urlaub|urlaubs\w*|ausser haus"
    r"|reponse automatique|absence du bureau|(?:notification|message|avis|reponse) d'absence|absent\w* du bureau"
    r"|absence\b|en conges?\b|je suis absent"
    r"|(?:vacation|holidays?|leave|urlaub|ferien|vacaciones|absente?|conges|vacances) (?:until|till|bis|hasta|jusqu)"
    r"|nicht erreichbar"
    r"|respuesta automatica|fuera de (?:la |mi )?oficina|ausente|ausencia|contestacion automatica|de vacaciones"
    r"|mensaje automatico"
    r"|risposta automatica|fuori (?:sede|ufficio)|assenza|resposta automatica|fora do escritorio|ausencia temporaria"
    r"|afwezig\w*|niet aanwezig|fravaer\w*|franvaro\w*|poissa\w*|odpowiedz automatyczna|autosvar)"
)
_BEFORE = re.compile(r"[\s\[(*:#-]{0,8}")
_AFTER_OWN_SUBJECT = re.compile(r"[\[(](?:auto(?:matic)?[ -]?reply|out of (?:the )?office|autoreply|ooo)[\])]\s*$")
_WORDING = re.compile(
    r"out of (?:the )?office|(?:currently|presently|now|will be|am|i'm|be|are) (?:away|out|on (?:\w+ ){0,2}?(?:leave"
    r"|vacation|holidays?))"
    r"|away from (?:the |my )?(?:office|desk|e?-?mail)|on (?:\w+ ){0,2}?(?:leave|vacation|holidays?)\b|(?:limited|no"
    r"|without|intermittent) access to (?:my )?e?-?mail"
    r"|(?:will|shall|'ll) (?:be )?(?:return|back|respond|reply|answer|get back)|(?:return|back) (?:on|to the office)"
    r"|not (?:checking|reading) (?:my )?e?-?mails?"
    r"|nicht (?:im|am) (?:buero|haus|arbeitsplatz)|abwesend|abwesenheit|im urlaub|ausser haus|nicht erreichbar"
    r"|wieder (?:da|erreichbar|im|zurueck|fuer sie)|zurueck"
    r"|absente?\b|en conges?\b|en vacances|de retour|mon retour|ne suis pas (?:au|disponible|joignable)|indisponible"
    r"|pas acces a"
    r"|fuera de (?:la |mi )?oficina|ausente|de vacaciones|de baja\b|estare (?:fuera|de vuelta|de regreso)|(?:mi"
    r"|a la) vuelta|mi regreso|regres\w+|vuelvo|no (?:tengo|tendre) acceso"
    r"|fuori (?:sede|ufficio)|assente|in ferie|rientr\w+|mio ritorno|ausente|de ferias|meu regresso|retorno"
    r"|afwezig|niet (?:op kantoor|aanwezig)|met vakantie|op vakantie|weer (?:terug|aanwezig|bereikbaar)|terug op"
    r"|bortrest|semester|tillbaka|fravaerende|ferie|lomalla|urlop\w*|nieobecn\w*"
)
_PLAIN_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "’": "'", "‘": "'", "´": "'", "\xa0": " "})
_UMLAUTS = str.maketrans({"ä": "a", "ö": "oe", "ü": "ue"})

_MONTHS = (
    "january janvier enero januar janner gennaio janeiro januari jan janv ene jaen",
    "february fevrier febrero februar feber febbraio fevereiro februari feb fevr fev",
    "march mars marzo marz maerz marco maart mar mrz",
    "april avril abril aprile apr avr abr",
    "may mai mayo maggio maio mei",
    "june juin junio juni giugno junho jun giu",
    "july juillet julio juli luglio julho jul juil lug",
    "august aout agosto augustus aug ago",
    "september septembre septiembre setiembre settembre setembro sep sept set",
    "october octobre octubre oktober ottobre outubro oct okt ott out",
    "november novembre noviembre novembro nov",
    "december decembre diciembre dezember dicembre dezembro december dec dez dic",
)
_MONTH_NUMBER = {word: number for number, words in enumerate(_MONTHS, start=1) for word in words.split()}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTH_NUMBER, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|[.ºª])?"
_YEAR = r"(?:,?\s{1,2}(?:(?:de|del)\s)?(?P<year>20\d\d)\b)?"
_DATES = (
    re.compile(rf"(?<![\d.:/-]){_DAY}\s{{0,2}}(?:(?:of|de|del)\s)?{_MONTH}{_YEAR}"),
    re.compile(
        rf"\b{_MONTH}\s{{1,2}}(?:\d{{1,2}}(?:st|nd|rd|th)?\s?(?:-|–|to|through|until"
        rf"|till)\s?)?(?:the )?{_DAY}(?![\d:]|\s?[ap]m){_YEAR}"
    ),
    re.compile(r"\b(?P<year>20\d\d)-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b"),
    re.compile(r"(?<![\d./-])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.(?:\s?(?P<year>(?:20)?\d\d)\b)?(?!\d)"),
)
_SLASHED = re.compile(r"(?<![\d./-])(?P<a>\d{1,2})[/-](?P<b>\d{1,2})(?:[/-](?P<year>(?:20)?\d\d))?(?![\d/-])")
_ENDS = re.compile(
    r"\b(?:until|till?|through|thru|return\w*|back|to|bis|ab|wieder|zurueck|hasta|regres\w*|vuelv\w*|volver\w*"
    r"|vuelta|reincorpor\w*|al"
    r"|jusqu\w*|retour|revien\w*|reviendrai|a partir|au|torn\w*|rientr\w*|fino|retorn\w*|volto|ate|tot|terug|before"
    r"|by)\b"
)
_ENDS_AFTER = re.compile(
    r"\b(?:back|return\w*|wieder|zurueck|retour|terug|de vuelta|inclusive|einschliesslich|inclus|incluido)\b"
)
_DAY_FIRST = re.compile(r"\b(?:jusqu\w*|retour|hasta|oficina|bureau|absente?|ausente|fino|ate)\b")
_LOOKS_BACK_CHARS, _LOOKS_AHEAD_CHARS = 45, 28
_LONGEST_ABSENCE = timedelta(days=330)
_MESSAGE_DATE = re.compile(r"\b(\d{1,2})[\s-]{1,3}([A-Za-z]{3})[A-Za-z]{0,6}[\s-]{1,3}(\d{4})\b")


def folded(text: str) -> str:
    """`text` without case and accents, its umlauts as two letters, its white space as single blanks."""
    plain = text.casefold().translate(_PLAIN_LETTERS).translate(_UMLAUTS)
    bare = "".join(letter for letter in unicodedata.normalize("NFD", plain) if not unicodedata.combining(letter))
    return re.sub(r"\s+", " ", bare)


def is_absence_subject(subject: str) -> bool:
    """Whether a subject is one that responders write. An answer to a mail of that subject ("Re: ...") is not."""
    bare = folded(subject[:500])
    before = _BEFORE.match(bare)
    return bool(_SUBJECT.match(bare, before.end() if before else 0)) or bool(_AFTER_OWN_SUBJECT.search(bare))


def is_absence_wording(text: str) -> bool:
    """Whether a text says that its writer is away."""
    return bool(_WORDING.search(folded(text[:_MOST_CHARS])))


def return_date(text: str, sent: str) -> date | None:
    """The day that an absence note names as its end, None when none is certain. sent: the Date header of the mail."""
    on = _message_day(sent)
    bare = folded(text[:_MOST_CHARS])
    found = [(day, _names_the_end(bare, start, end)) for day, start, end in _days(bare, on)]
    if on is not None:
        found = [(day, ends) for day, ends in found if on <= day <= on + _LONGEST_ABSENCE]
    return max((day for day, ends in found if ends), default=max((day for day, _ in found), default=None))


def _message_day(sent: str) -> date | None:
    found = _MESSAGE_DATE.search(sent[:200])
    month = _MONTH_NUMBER.get(found[2].lower()) if found else None
    return None if found is None or month is None else _day(int(found[3]), month, int(found[1]))


def _names_the_end(bare: str, start: int, end: int) -> bool:
    before = re.split(r"[.!?] ", bare[max(0, start - _LOOKS_BACK_CHARS) : start])[-1]
    after = re.split(r"[.!?;] ", bare[end : end + _LOOKS_AHEAD_CHARS])[0]
    return bool(_ENDS.search(before) or _ENDS_AFTER.search(after))


def _days(bare: str, on: date | None) -> Iterator[tuple[date, int, int]]:
    for pattern in _DATES:
        for found in pattern.finditer(bare):
            named = found["month"]
            month = _MONTH_NUMBER.get(named) or (int(named) if named.isdigit() else 0)
            day = _in_year(found["year"], month, int(found["day"]), on)
            if day is not None:
                yield day, found.start(), found.end()
    for found in _SLASHED.finditer(bare):
        day = _slashed(int(found["a"]), int(found["b"]), found["year"], bare, on)
        if day is not None:
            yield day, found.start(), found.end()


def _slashed(first: int, second: int, year: str | None, bare: str, on: date | None) -> date | None:
    """A date with strokes, read when only one order is valid, or the language of the note settles it."""
    month_first, day_first = _in_year(year, first, second, on), _in_year(year, second, first, on)
    if first == second or day_first is None:
        return month_first
    return day_first if month_first is None or _DAY_FIRST.search(bare) else None


def _in_year(year: str | None, month: int, day: int, on: date | None) -> date | None:
    if year is not None:
        return _day(int(year) if len(year) == 4 else 2000 + int(year), month, day)
    if on is None:
        return None
    this = _day(on.year, month, day)
    if this is not None and this < on - timedelta(days=60):
        return _day(on.year + 1, month, day)
    return this


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
