"""The proof in words, as the proof panel and the command line show it."""

from __future__ import annotations

from app.domain.proof import Proof, Unprovable


def told_proof(proof: Proof | Unprovable) -> str:
    """One or two sentences: "Always ends. At most 2 emails, 2 texts, 1 call over 12 days." """
    if isinstance(proof, Unprovable):
        return f"Can't be published: {_counted(len(proof.faults), 'problem')}."
    sends = _sends(proof)
    time = f"over {_counted(proof.days, 'day')}" if proof.days else "without waiting"
    if not sends:
        return f"Always ends. It sends nothing, {time}."
    return f"Always ends. At most {', '.join(sends)} {time}."


def told_proof_short(proof: Proof | Unprovable) -> str:
    """For a list of journeys: "Always ends: 2 emails, 2 texts, 1 call, 12 days"."""
    if isinstance(proof, Unprovable):
        return f"Can't be published: {_counted(len(proof.faults), 'problem')}"
    return f"Always ends: {', '.join([*(_sends(proof) or ['nothing sent']), _counted(proof.days, 'day')])}"


def _sends(proof: Proof) -> list[str]:
    counts = ((proof.emails, "email"), (proof.texts, "text"), (proof.calls, "call"))
    return [_counted(count, noun) for count, noun in counts if count]


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
