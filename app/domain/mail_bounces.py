"""What a failed delivery means for the address: gone (hard), or perhaps well again (soft).

The table is one for reports with codes and for the plain notices of old servers, which are read here as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.domain.mail_decode import addresses
from app.domain.mail_match import from_address
from app.domain.mail_parts import Part
from app.domain.mail_reports import Delivery

DELIVERED = frozenset({"delivered", "relayed", "expanded"})

_CODE = re.compile(r"(?<![\d.])([245])\.([0-7])\.(\d{1,3})(?!\.?\d)")
_SMTP_CODE = re.compile(r"(?<![\d.])([45])\d\d(?=[\s-])")
_ANY = re.IGNORECASE
_FULL = re.compile(
    r"mailbox (?:is )?(?:full|size|quota)|over ?quota|quota (?:exceed|is full)|exceed\w{0,4} (?:\w+ ){0,3}(?:quota"
    r"|storage)"
    r"|(?:out of|not enough|insufficient) (?:storage|space|disk|system storage)|buz[oó]n (?:est[aá] )?lleno"
    r"|bo[iî]te pleine"
    r"|postfach (?:ist )?voll|quota d[eé]pass[eé]|cuota (?:excedida|superada)|inbox is full|storage limit",
    _ANY,
)
_PASSING = re.compile(
    r"tempor|expired|try(?:ing)? again|will (?:be )?retr(?:y|ied)|grey-?list|timed? ?out|delay(?:ed|ing)?\b"
    r"|connection refused"
    r"|too (?:large|big)|size (?:limit|exceeds)|unavailable|still being retried|verz[oö]ger|retard[eé]"
    r"|vor[uü]bergehend",
    _ANY,
)
_REFUSED = re.compile(
    r"spam|block(?:ed|list)|black ?list|polic(?:y|ies)|reputation|dmarc|\bspf\b|\bdkim\b|content|denied"
    r"|not authori[sz]ed"
    r"|prohibited|virus",
    _ANY,
)
_GONE = re.compile(
    r"(?:user|recipient|mailbox|address|account|addressee|local part|alias|destinatario|usuario|destinataire|adresse"
    r"|utilisateur"
    r"|empf[aä]nger|benutzer)s? (?:\S+ ){0,3}?(?:is |was |are )?(?:unknown|not found|not exist|n[o']t (?:be )?found"
    r"|invalid|disabled"
    r"|deactivated|closed|suspended|inactive|desconocid[oa]|inconnue?|inexistante?|unbekannt)"
    r"|(?:unknown|invalid|bad|no such|no|non-?existent|unrout(?:e)?able|undeliverable|inactive|disabled)"
    r" (?:user|recipient|mailbox|address|account|local part|person|alias|destination mailbox)"
    r"|(?:does|do|did) ?n[o']t exist|doesn.t have an? \S+ account|no (?:longer|more) (?:exist|valid|work|active|here"
    r"|in use)"
    r"|couldn.t be found|(?:is|was|were) ?n[o'.]t (?:be )?found|not listed in|no mailbox here|no account here"
    r"|not our customer"
    r"|no existe|n['’]existe (?:pas|plus)|existiert nicht|nicht gefunden|nicht bekannt",
    _ANY,
)
_NO_HOST = re.compile(
    r"(?:host|domain)(?: or domain)?(?: name)? (?:\S+ ){0,2}?(?:not found|does ?n[o']t exist|unknown)"
    r"|unknown (?:host|domain)"
    r"|no such (?:host|domain)|nxdomain|couldn.t find any host|name service error|bad destination host",
    _ANY,
)
_DIRECTORY_BLOCK = re.compile(r"recipient address rejected", _ANY)
_WARNING = re.compile(
    r"\bdelayed\b|still being retried|warning only|(?:do not|don.t) need to re-?send|will (?:be )?retr|will keep trying"
    r"|not yet been delivered|verz[oö]gert|retard[eé]|retrasad",
    _ANY,
)
_DAEMON = re.compile(r"mailer-daemon|postmaster|mail-daemon|mailerdaemon|mail\.?delivery", _ANY)
_NOTICE_SUBJECT = re.compile(
    r"undeliver|failure notice|returned mail|mail (?:delivery )?(?:system )?fail"
    r"|delivery (?:status )?(?:notification|fail|report|problem)"
    r"|delivery has failed|could not (?:be )?deliver|returning message|mail delivery|nondeliver|non-deliver"
    r"|message delayed"
    r"|delayed mail|warning: (?:message|could not)|unzustellbar|zustell(?:ung|fehler)|nicht zugestellt|fehlgeschlagen"
    r"|no (?:se )?(?:ha )?(?:podido|pudo|puede)? ?(?:ser )?entreg|error (?:de|en la) entrega|devuelto"
    r"|correo no entregado"
    r"|non (?:remis|d[eé]livr|distribu)|[eé]chec (?:de|d['’]) ?(?:la )?(?:remise|livraison|envoi|distribution)"
    r"|returned to sender",
    _ANY,
)
_COPY_BELOW = re.compile(
    r"^[ \t]*(?:-{2,}.{0,80}(?:copy|original|returned|unsent|headers|copia|copie|kopie).{0,80}"
    r"|(?:return-path|received|from|message-id): .{1,300})$",
    _ANY | re.MULTILINE,
)
_MOST_NOTICE_CHARS = 20_000  # the reason stands at the top; below it is our own mail


@dataclass(frozen=True, slots=True)
class Bounce:
    """action: failed or delayed. status: the enhanced code (RFC 3463), None when the notice has none."""

    action: str
    status: str | None


@dataclass(frozen=True, slots=True)
class Fault:
    """What a bounce means. is_hard: suppress the address. needs_human: the fault may be ours, or is unclear."""

    bounce: Bounce
    is_hard: bool
    needs_human: bool
    recipient: str | None


def judge(delivery: Delivery, told: str) -> Fault:
    """The fault of a recipient who was not delivered to. told: the words of the report, asked when no code decides."""
    words = f"{delivery.diagnostic}\n{told if not delivery.diagnostic else ''}"
    status = _status(delivery.status, words)
    action = delivery.action or (
        "delayed" if status and status.startswith("4.") and _WARNING.search(told) else "failed"
    )
    is_hard, needs_human = _table(action, status, words)
    return Fault(Bounce(action, status), is_hard, needs_human, delivery.recipient)


def _status(stated: str, words: str) -> str | None:
    """The most telling code: a general one (x.0.0, RFC 3463) gives way to the one of the diagnosis."""
    found = [code[0] for code in (_CODE.search(stated), _CODE.search(words)) if code]
    telling = [code for code in found if not code.endswith(".0.0") and not code.startswith("2.")]
    return next(iter(telling or found), None)


def _table(action: str, status: str | None, words: str) -> tuple[bool, bool]:
    """(is hard, needs a person)."""
    if action == "delayed" or (status or "").startswith("4."):
        return False, False
    subject, detail = (int(part) for part in status.split(".")[1:]) if status else (0, 0)
    match subject:
        case 1:
            return True, False
        case 2 if detail == 1:
            return True, False
        case 2 | 3 if (subject, detail) in ((2, 2), (2, 3), (3, 4)):
            return False, False
        case 4 if detail == 4 or _NO_HOST.search(words):
            return True, False
        case 4 if detail == 1:
            return bool(_DIRECTORY_BLOCK.search(words)), False
        case 7:
            return False, True
        case _:
            return _by_words(words)


def _by_words(words: str) -> tuple[bool, bool]:
    if _FULL.search(words):
        return False, False
    if _GONE.search(words) or _NO_HOST.search(words):
        return True, False
    if _REFUSED.search(words):
        return False, True
    if _PASSING.search(words):
        return False, False
    code = _SMTP_CODE.search(words)
    return False, code is None or code[1] == "5"  # no reason that is known: a person looks, the address stays


def plain_notice(mail: Part, subject: str, text: str) -> Fault | None:
    """The fault that a server without reports tells in words; None when the mail is no such notice."""
    is_null = mail.has("return-path") and not mail.raw("return-path").strip(" <>")
    daemon = bool(_DAEMON.search((from_address(mail) or mail.raw("from")).partition("@")[0]))
    told = bool(_NOTICE_SUBJECT.search(subject))
    stated = mail.has("x-failed-recipients") or _is_automatic_failure(mail, text)
    if not ((daemon and (told or stated or is_null)) or (is_null and (told or stated)) or (stated and told)):
        return None
    notice = text[:_MOST_NOTICE_CHARS]
    below = _COPY_BELOW.search(notice)
    if below is not None and notice[: below.start()].strip():
        notice = notice[: below.start()]
    status = _status("", notice)
    delayed = bool(_WARNING.search(subject) or _WARNING.search(notice)) and not (status or "").startswith("5.")
    is_hard, needs_human = _table("delayed" if delayed else "failed", status, notice)
    failed = addresses(mail.raw("x-failed-recipients")) or _named(notice)
    return Fault(
        Bounce("delayed" if delayed else "failed", status), is_hard, needs_human, failed[0] if failed else None
    )


def _is_automatic_failure(mail: Part, text: str) -> bool:
    """Whether a machine that does not call itself a mail daemon tells of a failure by its code."""
    top = text[:_MOST_NOTICE_CHARS]
    return mail.raw("auto-submitted").strip().lower().startswith("auto") and _status("", top) is not None


def _named(notice: str) -> tuple[str, ...]:
    """The addresses of a notice, those in angle brackets or alone on a line first; machines' own left out."""
    alone = re.findall(
        r"^[ \t]{0,8}<?([^\s<>]{1,64}@[^\s<>:]{1,250}?)>?:?[ \t]{0,8}$|<([^\s<>]{1,64}@[^\s<>]{1,250})>", notice, re.M
    )
    first = addresses(" ".join(a or b for a, b in alone))
    return tuple(each for each in (*first, *addresses(notice)) if not _DAEMON.search(each))
