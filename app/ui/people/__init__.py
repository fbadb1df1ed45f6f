"""People: the list, the person page, and what is pressed for one person in any section (Stop, Hold…, Booked)."""
