"""One NewType an id, so that an enrollment's id cannot be passed for a person's."""

from __future__ import annotations

from typing import NewType

LocationId = NewType("LocationId", int)
PersonId = NewType("PersonId", int)
RecordId = NewType("RecordId", int)
JourneyId = NewType("JourneyId", int)
JourneyVersionId = NewType("JourneyVersionId", int)
TemplateId = NewType("TemplateId", int)
TemplateVersionId = NewType("TemplateVersionId", int)
GroupId = NewType("GroupId", int)
EnrollmentId = NewType("EnrollmentId", int)
MessageId = NewType("MessageId", int)
AttemptId = NewType("AttemptId", int)
InboxEventId = NewType("InboxEventId", int)
SuppressionId = NewType("SuppressionId", int)
ImportId = NewType("ImportId", int)
ProblemId = NewType("ProblemId", int)
StepId = NewType("StepId", str)
