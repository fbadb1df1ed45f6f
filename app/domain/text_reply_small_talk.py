"""Answers that need nobody: courtesy, confirmations, friendly signs, the answer that our text had asked for."""

from __future__ import annotations

import re

from app.domain.text_reply_plain import Plain, plain, words_of

_COURTESY = words_of(
    "thanks thank you thx ty tysm thnx thks ok okay okey k kk great good perfect awesome cool nice super "
    "excellent wonderful lovely sounds got it will do see ya then there soon noted understood so very much many "
    "appreciate appreciated that is thats all set alright sure welcome have a day weekend one evening too and for "
    "the your reminder help everyone everybody yay yes yep yup yeah roger confirmed fine works worries problem np "
    "u wow love lovely best care cleaning visit new filling quite happy with really well be i am im can cant wait "
    "to booked online on date 3rd gracias muchas mil vale listo perfecto excelente genial bueno muy bien de "
    "acuerdo ahi nos vemos estare igualmente entendido claro si por todo amable saludos feliz dia hasta luego "
    "merci beaucoup parfait super top d accord entendu bien recu a bientot bonne journee c est note oui ca marche "
    "genial tres je serai la"
)
_FIRM = words_of(
    "thanks thank thx ty tysm ok okay k kk great perfect awesome cool nice excellent wonderful sounds got noted "
    "understood appreciate see alright roger confirmed yay booked gracias vale listo perfecto excelente genial "
    "acuerdo entendido nos merci parfait accord entendu recu bientot note wow thnx thks"
)
_STOP_SIGNS = frozenset("🛑")
_REFUSALS = frozenset("🚫⛔🖕")
_GLAD = frozenset("👍👌🙏😀😃😄😁😊🙂😍🥰😘❤♥💕💖💙💚💛🧡💜🤍🎉✅✔☑🤗👏🙌💯😂🤣😉😎🦷🌟⭐✨🫶🤝")
_MOST_WORDS = 14
_CODE = re.compile(r"(?:reply|text|send|respond|press|responda|responde|envie|repondez|envoyez) (?:with )?(\w+)")


def is_stop_sign(signs: tuple[str, ...]) -> bool:
    """Whether the only pictures are stop signs."""
    return bool(signs) and set(signs) <= _STOP_SIGNS | _GLAD and bool(set(signs) & _STOP_SIGNS)


def is_end_sign(signs: tuple[str, ...]) -> bool:
    """Whether a picture refuses."""
    return bool(set(signs) & _REFUSALS)


def is_glad(signs: tuple[str, ...]) -> bool:
    """Whether every picture is a friendly one."""
    return bool(signs) and set(signs) <= _GLAD


def is_courtesy(text: Plain) -> bool:
    """Whether nothing but thanks and consent is said, and nothing is asked."""
    words = set(
        text.folded.replace(" no worries ", " ").replace(" no problem ", " ").replace(".", "").replace(",", "").split()
    )
    return (
        not text.asks
        and len(text.words) <= _MOST_WORDS
        and words <= _COURTESY
        and bool(words & _FIRM)
        and set(text.signs) <= _GLAD
    )


def answers_prompt(text: Plain, prompt: str | None) -> bool:
    """Whether the text is the yes, or the letter or word, that our last text asked for; a no is for a person."""
    if prompt is None or len(text.words) != 1 or text.asks:
        return False
    asked = plain(prompt)
    word = text.words[0]
    if word in {"yes", "y", "yep", "yeah", "si", "oui", "ok"}:
        return asked.asks or "yes" in asked.words or word in asked.words
    return (
        word not in {"no", "n", "non"}
        and _CODE.search(asked.folded) is not None
        and word in _CODE.findall(asked.folded)
    )
