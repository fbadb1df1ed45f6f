"""Whether a whole text is a keyword (law, carriers, provider), with only courtesy, filler or a name around it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.text_reply_plain import Plain, words_of


class Keyword(StrEnum):
    """What a keyword asks for. CANCEL: an opt-out by law and carrier, though an appointment may be meant."""

    STOP = "stop"
    CANCEL = "cancel"
    START = "start"
    YES = "yes"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class KeywordRead:
    """sure: False when it was spelled with a wrong letter, or has words around it that leave a doubt."""

    keyword: Keyword
    written: str
    sure: bool


_EXACT: dict[str, Keyword] = {
    **dict.fromkeys(words_of("stop stopall end quit unsubscribe revoke optout remove stop2end"), Keyword.STOP),
    **dict.fromkeys(words_of("alto baja parar pare"), Keyword.STOP),
    **dict.fromkeys(words_of("arret arreter arretez arrete desabonner desinscrire desabonnement"), Keyword.STOP),
    **dict.fromkeys(words_of("cancel cancelar"), Keyword.CANCEL),
    **dict.fromkeys(words_of("start unstop subscribe iniciar comenzar commencer reprendre"), Keyword.START),
    "yes": Keyword.YES,
    **dict.fromkeys(words_of("help info ayuda aide"), Keyword.HELP),
}
# Forms of the same keywords that nobody could take for a slip: never spelled wrong on purpose, so never varied.
_FORMS: dict[str, Keyword] = {
    **dict.fromkeys(
        words_of("stops unsub unsubscribed desuscribir desuscribirme desabonnez desinscription"), Keyword.STOP
    ),
    **dict.fromkeys(words_of("cancela cancele cancelen annuler annulez annule"), Keyword.CANCEL),
}
_PAIRS: dict[tuple[str, str], str] = {
    ("stop", "all"): "stopall",
    ("opt", "out"): "optout",
    ("opted", "out"): "optout",
    ("opt", "me"): "",
    ("un", "subscribe"): "unsubscribe",
    ("un", "stop"): "unstop",
    ("sign", "off"): "",
    ("un", "sub"): "unsub",
}
# Words that a person writes for themselves, one step away from a keyword: never taken for one.
_COMMON = words_of(
    "shop quite top tops sop sops step steps slop slot shot stoop stomp strop strops atop stow spot spots post "
    "stump swap stopped stopping strip sport sort soup snap ship slip skip snip and send bend lend mend tend vend "
    "fend ends ended ed en nd ned den eng qui quid quiz quilt quits quiet suit unit cancer cancels canal "
    "cancelled canceled chancel camel remote removed remover remodel move evoke revoked evokes invoke provoke "
    "stat stats star stars smart state stark stair starts tart sart dart part cart chart art stare starry yet yep "
    "yea yeah ye yen eyes es ys hep hell helps held heel heap hello kelp yelp whelp inf ino into inform intro aid "
    "aida ade aie aile aine ride side wide tide adie maid hide baa bajo bajas baia aja bala bata caja faja raja "
    "alta altos auto salto plato alt asalto halo lato ato alo parara para pares are par per pre pear paree padre "
    "pase page paar parra part pared parer paree arrets arete arretes subscribed subscriber subscribes describe "
    "optouts starting iniciara comenzara"
)
_FILLER = words_of(
    "please pls plz plzz plse pleas thanks thank you thx ty tks tnx ok okay okey k hi hello hey sorry now just it "
    "this that these them those me us all everything no nope nah yes yeah yep i im we said already right away "
    "immediately asap forever permanently kindly sir madam maam guys folks everyone lol ffs damn fucking fuckin f "
    "the hell god dear again here today so much would like want to need u ya ur oh ugh man dude have a nice great "
    "good day and really seriously for from with regards cheers cordially bye goodbye hola gracias por favor "
    "porfavor porfa favor xfa senor senora ya esto eso todo todos quiero buenas buenos dias tardes saludos muchas "
    "merci svp stp s il vous te plait bonjour bonsoir tout tous ca cela maintenant suite immediatement je dis "
    "veux beaucoup de cordialement bonne journee salut madame monsieur"
)
NO_NAMES = words_of(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august "
    "september october november december mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug "
    "sep sept oct nov dec lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo "
    "junio julio agosto septiembre octubre noviembre diciembre lundi mardi mercredi jeudi vendredi samedi "
    "dimanche janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre tomorrow "
    "tonight botox invisalign insurance ibuprofen appointment visit cleaning surgery treatment plan membership "
    "texts calls emails smoking"
)
_VERBS = words_of("want need like would quiero veux i im we je to")
_COMPOUNDS = {
    ("stop", "all"): "stopall",
    ("opt", "out"): "optout",
    ("opted", "out"): "optout",
    ("un", "stop"): "unstop",
}
_COMPOUNDS[("un", "subscribe")] = "unsubscribe"
_REPLACED = frozenset(each for each in _EXACT if len(each) >= 6) | {"stop"}
_MOST_WORDS = 12  # of a text that may still be a keyword with courtesy around it; a keyword alone may be repeated more
_MOST_REPEATED = 200


def read_keyword(text: Plain) -> KeywordRead | None:
    """The keyword that a whole text is, or None. Of several kinds an opt-out wins, and is not sure."""
    words = text.words
    if not words or len(words) > _MOST_REPEATED:
        return None
    read, rest, sure = _sorted_out(words)
    if not read or (rest and len(words) > _MOST_WORDS):
        return None
    if {keyword for keyword, _ in read} != {Keyword.YES}:  # beside another keyword a yes is only courtesy
        read = [each for each in read if each[0] is not Keyword.YES]
    kinds = {keyword for keyword, _ in read}
    keyword = next(each for each in Keyword if each in kinds)
    strange = [at for at in rest if words[at] not in _FILLER]
    if strange and not _is_name(text, strange, keyword):
        return None
    if keyword is not Keyword.STOP and any(words[at] in _VERBS for at in rest):
        return None
    apart = not strange or strange[0] in text.apart
    return KeywordRead(keyword, read[0][1], sure and apart and len(kinds) == 1)


def _sorted_out(words: tuple[str, ...]) -> tuple[list[tuple[Keyword, str]], list[int], bool]:
    read: list[tuple[Keyword, str]] = []
    rest: list[int] = []
    sure, at = True, 0
    while at < len(words):
        compound = _COMPOUNDS.get((words[at], words[at + 1])) if at + 1 < len(words) else None
        found = (_EXACT[compound], True) if compound else _variant(words[at])
        if found is None:
            rest.append(at)
        else:
            read.append((found[0], compound or words[at]))
            sure = sure and found[1]
        at += 2 if compound else 1
    return read, rest, sure


def _variant(word: str) -> tuple[Keyword, bool] | None:
    """The keyword that a word is, and whether that is sure; at most one step away from it."""
    exact = _EXACT.get(word) or _FORMS.get(word)
    if exact is not None:
        return exact, True
    if word in _COMMON or word in _FILLER or not 3 <= len(word) <= 40:
        return None
    squeezed = _squeezed(word.replace("0", "o").replace("1", "i"))
    if squeezed in _COMMON:
        return None
    if squeezed in _EXACT:
        return _EXACT[squeezed], True
    for keyword, kind in _EXACT.items():
        if _is_slip(squeezed, keyword):
            return kind, True
    for keyword in _REPLACED:
        if len(squeezed) == len(keyword) and sum(a != b for a, b in zip(squeezed, keyword, strict=True)) == 1:
            return _EXACT[keyword], False
    return None


def _squeezed(word: str) -> str:
    """A letter that stands three times or more, as once: STOOOOP."""
    kept: list[str] = []
    at = 0
    while at < len(word):
        end = at
        while end < len(word) and word[end] == word[at]:
            end += 1
        kept.append(word[at] if end - at > 2 else word[at:end])
        at = end
    return "".join(kept)


def _is_slip(word: str, keyword: str) -> bool:
    """One letter doubled, missing or swapped with its neighbour. Of three letters none may be missing."""
    if len(word) == len(keyword) + 1:
        return any(word == keyword[: at + 1] + keyword[at:] for at in range(len(keyword)))
    if len(word) == len(keyword) - 1 and len(keyword) > 3:
        return any(word == keyword[:at] + keyword[at + 1 :] for at in range(len(keyword)))
    if len(word) == len(keyword):
        for at in range(len(keyword) - 1):
            if word == keyword[:at] + keyword[at + 1] + keyword[at] + keyword[at + 2 :]:
                return True
    return False


def _is_name(text: Plain, strange: list[int], keyword: Keyword) -> bool:
    """Whether the words left over are the sender's name: one to three at the end, as names are written or set apart."""
    words = text.words
    if len(strange) > 3 or strange != list(range(strange[0], len(words))) or keyword in {Keyword.YES, Keyword.HELP}:
        return False
    if any(words[at] in NO_NAMES or words[at].isdigit() for at in strange):
        return False
    if all(at in text.names for at in strange):
        return keyword is not Keyword.CANCEL or strange[0] in text.apart
    return strange[0] in text.apart and len(strange) <= 2
