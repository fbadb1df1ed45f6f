"""Requests to be left alone in German, Dutch, Italian and Portuguese, which the policy for texts has no grammar for.

A few plain forms, each with the thing that is to end in it; a person looks at every one of them. Of folded text.
"""

from __future__ import annotations

import re

_MAIL = (
    r"(?:e-?mails?|mails?|nachrichten|newsletters?|werbung|werbemails?|sms|anrufe|post|berichten|messaggi\w*"
    r"|mensagens|mensagem)"
)
_SENT = r"(?:schicken|senden|zusenden|schreiben|kontaktieren|anschreiben|anrufen|mailen|belaestigen|erhalten|bekommen)"
_ASKS = re.compile(
    rf"\bkeine(?:rlei)? (?:\w+ ){{0,2}}{_MAIL}(?: \w+){{0,3}}? (?:mehr|{_SENT}|wuensche)"
    rf"|\bkeine (?:weiteren|solchen|mehr) {_MAIL}|\b(?:nicht|nie) (?:mehr|wieder|laenger) (?:\w+ ){{0,2}}{_SENT}"
    r"|(?:schreiben|kontaktieren|mailen|rufen|belaestigen) sie (?:mir|mich|uns) (?:\w+ ){0,2}?(?:nicht|nie) (?:mehr"
    r"|wieder)"
    r"|(?:aus|von) (?:ihrem|ihrer|dem|der|eurem|eurer|diesem|dieser) (?:\S+ )?(?:verteiler|\w{0,12}liste|newsletter"
    r"|datenbank)"
    r"(?: \w+){0,2} (?:nehmen|entfernen|streichen|loeschen|austragen)"
    r"|(?:nehmen|nimm|nehmt|entfernen|entfernt|streichen|streicht|loeschen|loescht|tragen|tragt) (?:sie )?(?:\w+ ){1,5}"
    r"(?:aus|von) (?:\w+ ){0,2}(?:verteiler|\w{0,12}liste|newsletter|datenbank)"
    rf"|{_MAIL} (?:\w+ ){{0,3}}(?:abbestellen|abmelden|abzubestellen)|(?:moechte|will"
    rf"|wuerde) (?:\w+ ){{0,4}}(?:abmelden|abbestellen)"
    rf"|(?:melden|meldet) (?:sie )?(?:mich|uns) (?:\w+ ){{0,4}}{_MAIL}? ?(?:\w+ )?ab\b"
    rf"|bestellen? (?:\w+ ){{0,2}}(?:den |ihren )?newsletter (?:\w+ )?ab\b"
    r"|(?:lassen sie|lasst) (?:mich|uns) (?:\w+ )?in ruhe|widerrufe (?:\w+ ){0,3}(?:einwilligung|zustimmung)"
    r"|(?:hoeren sie|hoert) (?:\w+ ){0,2}auf,? (?:mir|uns) zu (?:schreiben|mailen)"
    rf"|\bgeen (?:\w+ ){{0,2}}{_MAIL} (?:\w+ ){{0,2}}meer|niet (?:meer|langer) (?:mailen|schrijven|contacteren"
    rf"|benaderen|bellen)"
    r"|(?:mij|me|ons) (?:\w+ ){0,3}(?:uitschrijven|afmelden)|(?:schrijf|meld|haal) (?:mij|me"
    r"|ons) (?:\w+ ){0,4}(?:uit|af|lijst|bestand)"
    r"|stop met (?:mij te )?(?:mailen|schrijven|bellen)"
    r"|non (?:mi |ci )?(?:inviat|mandat|scrivet|contattat|scriv|invi|mand|contatt)\w* (?:piu|altr|nient|nessun"
    r"|messagg|e-?mail)\w*"
    r"|non (?:voglio|desidero|vorrei) (?:piu )?(?:ricevere|essere contattat|e-?mail|messagg)\w*"
    r"|smett\w+ di (?:scriver|contattar|mandar|inviar)\w+"
    r"|(?:toglie|rimuove|cancella|disiscrive)\w* (?:\w+ ){0,4}(?:dalla|dalle|dai|da) (?:\w+ ){0,2}(?:list|mailing"
    r"|newsletter|e-?mail|messagg)\w*"
    r"|nao (?:me )?(?:mand|envi|contact|contat|escrev)\w* (?:\w+ ){0,2}(?:mais|e-?mail|mensage|nada)\w*"
    r"|nao (?:quero|desejo|gostaria de) (?:mais )?(?:receber|ser contact|ser contat|e-?mail|mensage)\w*"
    r"|(?:parem|pare) de (?:me )?(?:mandar|enviar|escrever|contactar|contatar)"
    r"|(?:remov|retir|tir|exclu)\w+ (?:\w+ ){0,5}(?:da|das|de) (?:\w+ ){0,2}list\w*|descadastr\w+"
    r"|cancelar (?:a )?(?:minha )?(?:inscricao|subscricao)"
)
_WHOLE = re.compile(
    r"(?:bitte )?(?:abmelden|abbestellen|abmeldung|austragen|stopp|afmelden|uitschrijven|cancellami|cancellatemi"
    r"|disiscrivimi|disiscrizione|remover|descadastrar)(?: bitte)?"
)
_LIMITED = re.compile(
    r"\b(?:nur|ausser|hoechstens|wochenende|abends|nachts|nach \d+ uhr|vor \d+ uhr|solo|soltanto|tranne"
    r"|fine settimana|so depois"
    r"|apenas|exceto|fim de semana|alleen|behalve|weekend)\b"
)
_RECEIVES_NONE = re.compile(
    r"\bich (?:bekomme|erhalte|kriege) |\bik (?:krijg|ontvang) |\bnon (?:ricevo|mi arriv)|\bnao (?:recebo"
    r"|estou recebendo)"
)
_MOST_CHARS = 10_000


def asks_to_end(folded: str) -> bool:
    """Whether a text in one of these languages asks not to be written to. folded: by mail_absence.folded."""
    text = folded[:_MOST_CHARS]
    if _WHOLE.fullmatch(text.strip(" .!,-")):
        return True
    return bool(_ASKS.search(text)) and not _LIMITED.search(text) and not _RECEIVES_NONE.search(text)
