"""How mail programs announce, in their users' languages, that what follows was written by somebody else.

Only patterns live here; what is cut because of them is decided in mail_quotes.py. Every pattern is matched against one
bounded line, or a few joined ones.
"""

from __future__ import annotations

import re

_ANY = re.IGNORECASE

_VERB = (
    r"(?:\b(?:wrote|writes|a [eé]crit|escribi[oó]|escribe|schrieb|ha scritto|escreveu|schreef|geschreven|skrev"
    r"|kirjoitti)\b"
    r"|napisał|написал|пишет|写道)"
)
WROTE = re.compile(_VERB, _ANY)
"""The verb of an attribution: "... wrote:"."""

OPENS_ATTRIBUTION = re.compile(
    r"[-*\s]{0,8}(?:on|le|el|am|il|em|op|den|dne|w dniu)\s|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\s"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4}[\s,]",
    _ANY,
)
"""How its first line begins: with a date, or the word before one."""

CLOSES_ATTRIBUTION = re.compile(r"(?:[:：]|-{3,})\s*$")
"""How its last line ends."""

CLOSES_WITH_VERB = re.compile(rf"{_VERB}\s?(?:[:：]|-{{3,}})\s*$", _ANY)

DATED = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:h.]\d{2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")
ADDRESSED = re.compile(r"[^\s<>@]{1,64}@[^\s<>@]{1,200}")

_MESSAGE = (
    r"(?:original (?:message|appointment|mail|email)|reply message|forwarded (?:message|mail|email)|message forwarded"
    r"|mensaje (?:original|reenviado)|correo original|mensagem (?:original|encaminhada)"
    r"|message (?:d['’]origine|original|initial|transf[eé]r[eé]|transmis|r[eé]exp[eé]di[eé])|e-mail d['’]origine"
    r"|(?:urspr(?:ü|ue?)ngliche|weitergeleitete|originale?) (?:nachricht|mail|e-mail)|original-?nachricht"
    r"|messaggio (?:originale|inoltrato)|oorspronkelijk bericht|doorgestuurd bericht|ursprungligt meddelande"
    r"|oprindelig meddelelse|wiadomość oryginalna)"
)
ORIGINAL_BELOW = re.compile(
    rf"[-_=*\s]{{2,80}}{_MESSAGE}\s?:?[-_=*\s]{{0,80}}|{_MESSAGE}\s?(?::|[-_=*\s]{{2,80}})", _ANY
)
"""A whole line that says that the original or a forwarded message follows."""

ORIGINAL_ALONE = re.compile(_MESSAGE, _ANY)
"""The same without any dash or colon: a mark only when a copied header follows."""

WROTE_AND_MORE = re.compile(
    r"(?:on|le|el|am|il|em|op)\s.{5,250}?<?[^\s<>@]{1,64}@[^\s<>@]{1,100}>\)?,?\s{0,3}"
    r"(?:wrote|a [eé]crit|escribi[oó]|ha scritto|escreveu)\s?:\s{1,9}\S",
    _ANY,
)
"""The start of a line that holds a whole attribution and then the original."""

FORWARD_BEGINS = re.compile(
    r"(?:begin forwarded message|d[eé]but du message (?:transf[eé]r[eé]|r[eé]exp[eé]di[eé])"
    r"|(?:inicio|principio) del mensaje reenviado|anfang der weitergeleiteten (?:nachricht|e-?mail)"
    r"|inizio messaggio inoltrato|in[ií]cio da mensagem (?:reencaminhada|encaminhada)|begin doorgestuurd bericht)\s?:?",
    _ANY,
)

RULE = re.compile(r"_{5,}")

_FROM = r"from|de|von|van|da|fr[aå]n?|od|expéditeur|remitente|absender"
_OTHERS = (
    r"sent|date|to|cc|bcc|subject|reply-to"
    r"|enviado(?: el)?|fecha|para|asunto|cco?|responder a"
    r"|envoy[eé](?: le)?|[àa]|objet|destinataire|r[eé]pondre [àa]"
    r"|gesendet(?: am)?|datum|an|betreff|kopie"
    r"|inviato|data|a|oggetto|verzonden|aan|onderwerp|enviada(?: em)?|assunto"
)
FROM_LABEL = re.compile(rf"[*\s]{{0,4}}(?:{_FROM})\s?[*]?\s?:[*]?(?:\s|$)", _ANY)
OTHER_LABEL = re.compile(rf"[*\s]{{0,4}}(?P<label>{_OTHERS})\s?[*]?\s?:[*]?(?:\s|$)", _ANY)
"""Labels of the headers that some programs copy above the original."""

_DEVICE = (
    r"(?:iphone|ipad|ipod|android|samsung|galaxy|huawei|xiaomi|redmi|pixel|blackberry|windows|nokia|htc|motorola"
    r"|oneplus"
    r"|mobile|cell(?:phone)?|device|smartphone|phone|handy|tablet|tablette|m[oó]vil|celular|tel[eé]fono"
    r"|t[eé]l[eé]phone|portable|ger[aä]t"
    r"|dispositivo"
    r"|outlook|yahoo|gmail|\w{0,20}mail|proton|spark|gmx|web\.de|aol|thunderbird|mailbird|bluemail|hotmail|icloud"
    r"|tutanota"
    r"|tuta|orange|t-online|telekom|zoho|verizon|at&t|t-mobile|vodafone|xfinity|courrier|correo|app)"
)
DEVICE_SIGNATURE = re.compile(
    rf"(?:sent|written|typed|enviado|escrito|envoy[eé]e?|[eé]crit|gesendet|geschrieben|verschickt|inviato|verzonden"
    rf"|skickat|sendt)"
    rf"\s(?:from|with|via|using|on|desde|con|a trav[eé]s de|do|da|de|d['’]|du|depuis|[àa] partir (?:de|d['’])"
    rf"|avec|par|von|vom"
    rf"|mit|aus|[uü]ber|vanaf|met|fr[aå]n|fra)\s?(?=.{{0,80}}\b{_DEVICE}\b).{{1,80}}"
    rf"|(?:von|vom)\s(?=.{{0,60}}\b{_DEVICE}\b).{{1,60}}\s(?:gesendet|geschickt|verschickt|geschrieben)\.?"
    rf"|diese (?:nachricht|e-?mail) wurde (?=.{{0,80}}\b{_DEVICE}\b).{{1,80}}\s(?:gesendet|verschickt)\.?"
    rf"|(?:this (?:message|email) was sent|ce (?:message"
    rf"|mail) a [eé]t[eé] envoy[eé]) (?=.{{0,80}}\b{_DEVICE}\b).{{1,80}}"
    r"|(?:get|download|obtener|obt[eé]n|descargar?|obtenir|obtenez|t[eé]l[eé]chargez?|t[eé]l[eé]charger"
    r"|holen sie sich|laden sie"
    r"|scarica|ottieni|obter|download) (?:outlook|bluemail|yahoo mail|gmail|spark|proton mail|aqua mail)\b.{0,120}"
    r"|outlook f[uü]r (?:ios|android|mac)\b.{0,80}"
    r"|get the new aol app.{0,60}|yahoo mail: .{1,60}|virus[- ]free\.?\s?.{0,40}|(?:libre de"
    r"|garanti sans) virus\.?\s?.{0,40}",
    _ANY,
)
"""A whole line that a device or a mail program put under what was typed."""
