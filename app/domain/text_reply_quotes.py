"""Words in a text that are not the sender's: a telephone's reaction to our text, our own words, our own instruction."""

from __future__ import annotations

import re

from app.domain.text_reply_plain import Plain, fold, plain, straight

_QUOTED = re.compile(r'"([^"]{3,})(?:"|$)')
_REACTION = re.compile(
    r"^[^\w\"]{0,12}(?:\w+ )?(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned|reacted|removed an?|hearted|"
    r"(?:le |te |me )?(?:ha )?(?:gusto|gusta|encanto|encanta|disgusto|dio risa|hizo gracia)|no le gusto|"
    r"enfatizo|destaco|cuestiono|reacciono|se rio|"
    r"(?:a |j )?(?:n )?(?:a )?(?:aime|adore|pas aime|ri de|insiste|mis l accent|reagi|souligne|demande|interroge))\b"
    r"[^\"]{0,60}\"",
)
_SIGN_TO = re.compile(r"^[^\w\"]{1,12}(?:to|a|en|sur|para)\s*\"")
_DOUBTFUL = re.compile(r"^\W*(?:disliked|questioned|no le|cuestiono|n a|(?:a )?interroge)")
_INSTRUCTION = re.compile(
    "(?<= )(?:reply|text|txt|send|type|respond|write|say|responda|responde|envie|enviar|escriba|repondez|"
    "repondre|envoyez|envoyer|tapez) "
    "(?:with |con |par |la palabra |le mot |the word )?(?:stop|end|quit|cancel|unsubscribe|alto|baja|parar|"
    "arret|start|help) "
    "(?:to|para|pour|if|al|and|au|or) (?:(?:opt|stop|end|unsubscribe|cancel|quit|cancelar|darse|dejar|vous|se|"
    r"ne|arreter|you)\w* ?"
    r"(?:out |de baja |plus |desabonner |from |receiving |getting |messages? |texts? |these |msgs? )*)?"
)
_SHORTEST_PROMPT = 15
_MARKS = frozenset(".?,#")


def reaction(text: str) -> bool | None:
    """Whether a telephone's reaction that quotes our text needs a person; None when the text is no reaction."""
    whole = fold(straight(text)).strip().replace("'", " ")
    if not (_REACTION.match(whole) or _SIGN_TO.match(whole)):
        return None
    after = whole.rpartition('"')[2] if whole.count('"') > 1 else ""
    if re.search(r"\w", after):
        return None
    return _DOUBTFUL.match(whole) is not None


def own_words(text: str, prompt: str | None) -> tuple[Plain, bool]:
    """What the sender wrote themselves, and whether anything of ours was taken out of it."""
    whole = straight(text)
    ours = plain(prompt).folded.strip(" .?,") if prompt else ""
    pieces, last = [], 0
    for found in _QUOTED.finditer(whole):
        inner = plain(found.group(1)).folded
        if _INSTRUCTION.search(inner) or (ours and len(inner) > _SHORTEST_PROMPT and inner.strip(" .?,") in ours):
            pieces += [whole[last : found.start()], "\n"]
            last = found.end()
    kept = "".join([*pieces, whole[last:]]) if last else text
    read = plain(kept)
    folded = read.folded
    if len(ours) > _SHORTEST_PROMPT and f" {ours} " in folded:
        folded = folded.replace(f" {ours} ", " # ")
    folded = _INSTRUCTION.sub("# ", folded)
    if folded == read.folded:
        return read, bool(last)
    words = tuple(word for word in folded.split() if word not in _MARKS)
    return Plain(folded, words, frozenset(), frozenset(), read.signs, read.whole), True
