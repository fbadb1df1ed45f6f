"""What is true: pure values and decisions. No I/O, no clock reading, no threads.

The words (DESIGN.md section 2), used in code, in the database and on the screen:

person       someone followed up with: a lead, client, patient. One row, one location
location     one clinic or branch: time zone, weekly hours, closures, sender addresses, postal address
record       a live fact about a person: an appointment, job, quote or invoice, with a status
journey      the flowchart that staff draw; each publish makes an immutable version
step         a node of a journey: email, sms, call, wait, wait_for, branch, split, repeat, task, end
enrollment   one person in one journey: the queue item, with a state, a step, a wake_at and a send budget
end          a terminal state of an enrollment, with its reason; no path back
guard        a question about the world, asked at fire time against live rows
hold         "not now", with until when and why; never drops anything
overdue      asked so much later than it should have been that staff decide: release, skip or re-time it
turn         a person is in one marketing journey at a time; the next begins when the one whose turn it is has ended
message      a row of the outbox: one email, text or call that the app means to make
attempt      one try at handing a message to a provider; a retry is another attempt, a step is not a retry
inbox event  something that happened outside, stored once by its provider id
suppression  (channel, address) that must not be contacted; above every journey
group        a rule that says which people match
trace        the answers of every guard, stored with the message that they let through or stopped
"""
