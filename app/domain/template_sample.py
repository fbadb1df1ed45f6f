"""What a template is tried on before it is saved: one made-up person of a made-up practice."""

from __future__ import annotations

from collections.abc import Mapping

SAMPLE: Mapping[str, object] = {
    "person": {
        "first_name": "Maria",
        "last_name": "Delgado",
        "full_name": "Maria Delgado",
        "email": "maria@example.com",
        "phone": "(503) 555-0142",
        "status": "open",
        "source": "web form",
        "tags": ["evenings"],
        "custom": {},
    },
    "location": {
        "name": "Portland",
        "phone": "(503) 555-0100",
        "email": "portland@fernhollow.example",
        "postal_address": "1200 Harbor Lane, Portland, OR 97200",
        "website": "https://fernhollow.example",
        "booking_url": "https://fernhollow.example/book",
        "zone": "America/Los_Angeles",
    },
    "practice": {
        "name": "Fernhollow Physical Therapy",
        "short_name": "Fernhollow PT",
        "postal_address": "1200 Harbor Lane, Portland, OR 97200",
        "website": "https://fernhollow.example",
    },
    **{
        kind: {
            "date": "Tue Jan 12",
            "time": "9:30 AM",
            "label": "first visit",
            "status": "booked",
            "amount": "$84.00",
            "due_date": "Jan 30",
            "number": "2210",
        }
        for kind in ("appointment", "job", "quote", "invoice")
    },
    "unsubscribe_url": "https://fernhollow.example/u/7f3a",
    "today": "2027-01-11",
}
