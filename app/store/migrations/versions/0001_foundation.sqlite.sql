CREATE TABLE log_entry (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  at VARCHAR(27) NOT NULL,
  event TEXT NOT NULL,
  actor TEXT DEFAULT '' NOT NULL,
  person_id INTEGER,
  enrollment_id INTEGER,
  message_id INTEGER,
  attempt_id INTEGER,
  inbox_event_id INTEGER,
  journey_id INTEGER,
  facts JSON DEFAULT '{}' NOT NULL
)
-- next
CREATE TABLE log_seal (
  day DATE NOT NULL,
  last_log_id INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  hash TEXT NOT NULL,
  previous_hash TEXT DEFAULT '' NOT NULL,
  sealed_at VARCHAR(27) NOT NULL,
  CONSTRAINT pk_log_seal PRIMARY KEY (day),
  CONSTRAINT uq_log_seal_last_log_id UNIQUE (last_log_id)
)
-- next
CREATE TABLE template (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  channel TEXT NOT NULL,
  current_version_id INTEGER,
  archived BOOLEAN DEFAULT 0 NOT NULL,
  CONSTRAINT ck_template_channel CHECK (channel IN ('email', 'sms', 'call')),
  CONSTRAINT fk_template_current_version_id FOREIGN KEY(current_version_id) REFERENCES template_version (id),
  CONSTRAINT uq_template_name UNIQUE (name)
)
-- next
CREATE TABLE journey (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  state TEXT DEFAULT 'draft' NOT NULL,
  draft_document JSON,
  live_version_id INTEGER,
  priority INTEGER DEFAULT 0 NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  CONSTRAINT ck_journey_published CHECK (state = 'draft' OR live_version_id IS NOT NULL),
  CONSTRAINT ck_journey_state CHECK (state IN ('draft', 'live', 'retired')),
  CONSTRAINT fk_journey_live_version_id FOREIGN KEY(live_version_id) REFERENCES journey_version (id),
  CONSTRAINT uq_journey_name UNIQUE (name)
)
-- next
CREATE TABLE "group" (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  "match" JSON NOT NULL,
  enroll JSON,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  archived BOOLEAN DEFAULT 0 NOT NULL,
  CONSTRAINT uq_group_name UNIQUE (name)
)
-- next
CREATE TABLE setting (
  "key" TEXT NOT NULL,
  value JSON,
  CONSTRAINT pk_setting PRIMARY KEY ("key")
)
-- next
CREATE TABLE engine_state (
  id INTEGER NOT NULL,
  paused_why TEXT,
  paused_by TEXT DEFAULT '' NOT NULL,
  paused_at VARCHAR(27),
  clock_seen_at VARCHAR(27),
  clock_made_up BOOLEAN DEFAULT 0 NOT NULL,
  CONSTRAINT ck_engine_state_paused CHECK ((paused_why IS NULL) = (paused_at IS NULL)),
  CONSTRAINT ck_engine_state_single CHECK (id = 1),
  CONSTRAINT pk_engine_state PRIMARY KEY (id)
)
-- next
CREATE TABLE channel_state (
  channel TEXT NOT NULL,
  paused_why TEXT,
  paused_at VARCHAR(27),
  try_at VARCHAR(27),
  provider TEXT DEFAULT '' NOT NULL,
  CONSTRAINT ck_channel_state_channel CHECK (channel IN ('email', 'sms', 'call')),
  CONSTRAINT ck_channel_state_paused CHECK ((paused_why IS NULL) = (paused_at IS NULL)),
  CONSTRAINT pk_channel_state PRIMARY KEY (channel)
)
-- next
CREATE TABLE practice (
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  short_name TEXT DEFAULT '' NOT NULL,
  country TEXT NOT NULL,
  region TEXT DEFAULT '' NOT NULL,
  postal_address TEXT DEFAULT '' NOT NULL,
  website TEXT DEFAULT '' NOT NULL,
  per_day INTEGER NOT NULL,
  per_week INTEGER NOT NULL,
  mode TEXT DEFAULT 'practice' NOT NULL,
  CONSTRAINT ck_practice_caps CHECK (per_day >= 1 AND per_week >= per_day),
  CONSTRAINT ck_practice_mode CHECK (mode IN ('practice', 'live')),
  CONSTRAINT ck_practice_single CHECK (id = 1),
  CONSTRAINT pk_practice PRIMARY KEY (id)
)
-- next
CREATE TABLE worker (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  token TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at VARCHAR(27) NOT NULL,
  seen_at VARCHAR(27) NOT NULL,
  lease_until VARCHAR(27) NOT NULL,
  CONSTRAINT uq_worker_token UNIQUE (token)
)
-- next
CREATE TABLE location (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  version INTEGER DEFAULT 1 NOT NULL,
  name TEXT NOT NULL,
  zone TEXT NOT NULL,
  hours JSON NOT NULL,
  closures JSON DEFAULT '[]' NOT NULL,
  holidays TEXT,
  country TEXT,
  region TEXT,
  phone TEXT,
  email TEXT,
  postal_address TEXT,
  website TEXT,
  booking_url TEXT,
  archived BOOLEAN DEFAULT 0 NOT NULL,
  CONSTRAINT uq_location_name UNIQUE (name)
)
-- next
CREATE TABLE import_batch (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  at VARCHAR(27) NOT NULL,
  "by" TEXT DEFAULT '' NOT NULL,
  file_name TEXT DEFAULT '' NOT NULL,
  kind TEXT NOT NULL,
  encoding TEXT DEFAULT '' NOT NULL,
  rows INTEGER DEFAULT 0 NOT NULL,
  added INTEGER DEFAULT 0 NOT NULL,
  updated INTEGER DEFAULT 0 NOT NULL,
  merged INTEGER DEFAULT 0 NOT NULL,
  rejected INTEGER DEFAULT 0 NOT NULL,
  consent_text TEXT,
  undone_at VARCHAR(27),
  CONSTRAINT ck_import_batch_kind CHECK (kind IN ('people', 'records'))
)
-- next
CREATE TABLE template_version (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  template_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  subject TEXT DEFAULT '' NOT NULL,
  body TEXT NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  created_by TEXT DEFAULT '' NOT NULL,
  CONSTRAINT ck_template_version_purpose CHECK (purpose IN ('marketing', 'care')),
  CONSTRAINT fk_template_version_template_id FOREIGN KEY(template_id) REFERENCES template (id),
  CONSTRAINT uq_template_version_template_id_number UNIQUE (template_id, number)
)
-- next
CREATE TABLE journey_version (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  journey_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  document JSON NOT NULL,
  proof JSON NOT NULL,
  send_budget INTEGER NOT NULL,
  max_days FLOAT NOT NULL,
  templates JSON NOT NULL,
  published_at VARCHAR(27) NOT NULL,
  published_by TEXT DEFAULT '' NOT NULL,
  CONSTRAINT ck_journey_version_max_days CHECK (max_days >= 0),
  CONSTRAINT ck_journey_version_send_budget CHECK (send_budget >= 0),
  CONSTRAINT fk_journey_version_journey_id FOREIGN KEY(journey_id) REFERENCES journey (id),
  CONSTRAINT uq_journey_version_journey_id_number UNIQUE (journey_id, number)
)
-- next
CREATE TABLE sequence (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  document JSON NOT NULL,
  state TEXT DEFAULT 'listed' NOT NULL,
  journey_id INTEGER,
  created_at VARCHAR(27) NOT NULL,
  CONSTRAINT ck_sequence_state CHECK (state IN ('listed', 'converted', 'retired')),
  CONSTRAINT fk_sequence_journey_id FOREIGN KEY(journey_id) REFERENCES journey (id),
  CONSTRAINT uq_sequence_name UNIQUE (name)
)
-- next
CREATE TABLE person (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  version INTEGER DEFAULT 1 NOT NULL,
  location_id INTEGER NOT NULL,
  first_name TEXT DEFAULT '' NOT NULL,
  last_name TEXT DEFAULT '' NOT NULL,
  email TEXT,
  phone TEXT,
  phone_ext TEXT,
  alt_phone TEXT,
  last_visit DATE,
  status TEXT DEFAULT '' NOT NULL,
  source TEXT DEFAULT '' NOT NULL,
  custom JSON DEFAULT '{}' NOT NULL,
  contact TEXT DEFAULT 'open' NOT NULL,
  with_staff_since VARCHAR(27),
  search_text TEXT DEFAULT '' NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  import_id INTEGER,
  erased_at VARCHAR(27),
  CONSTRAINT ck_person_contact CHECK (contact IN ('open', 'with_staff', 'do_not_contact')),
  CONSTRAINT ck_person_with_staff CHECK ((contact = 'with_staff') = (with_staff_since IS NOT NULL)),
  CONSTRAINT fk_person_import_id FOREIGN KEY(import_id) REFERENCES import_batch (id),
  CONSTRAINT fk_person_location_id FOREIGN KEY(location_id) REFERENCES location (id)
)
-- next
CREATE TABLE import_change (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  import_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  "before" JSON NOT NULL,
  "after" JSON NOT NULL,
  CONSTRAINT ck_import_change_kind CHECK (kind IN ('person', 'record')),
  CONSTRAINT fk_import_change_import_id FOREIGN KEY(import_id) REFERENCES import_batch (id)
)
-- next
CREATE TABLE inbox_event (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  "key" TEXT NOT NULL,
  kind TEXT NOT NULL,
  person_id INTEGER,
  journey_id INTEGER,
  channel TEXT,
  address TEXT,
  channels JSON DEFAULT '[]' NOT NULL,
  text TEXT DEFAULT '' NOT NULL,
  note TEXT DEFAULT '' NOT NULL,
  actor TEXT DEFAULT '' NOT NULL,
  needs_human BOOLEAN DEFAULT 0 NOT NULL,
  payload_hash TEXT DEFAULT '' NOT NULL,
  happened_at VARCHAR(27) NOT NULL,
  received_at VARCHAR(27) NOT NULL,
  applied_at VARCHAR(27),
  state TEXT DEFAULT 'received' NOT NULL,
  CONSTRAINT ck_inbox_event_applied CHECK ((state = 'applied') = (applied_at IS NOT NULL)),
  CONSTRAINT ck_inbox_event_channel CHECK (channel IS NULL OR channel IN ('email', 'sms', 'call')),
  CONSTRAINT ck_inbox_event_kind CHECK (kind IN ('replied', 'booked', 'paid', 'accepted', 'completed', 'converted', 'closed', 'opted_out', 'opted_in', 'complained', 'bounced', 'bounced_soft', 'disconnected', 'auto_reply', 'stopped', 'opened', 'clicked', 'other')),
  CONSTRAINT ck_inbox_event_state CHECK (state IN ('received', 'unmatched', 'applied', 'set_aside')),
  CONSTRAINT ck_inbox_event_unmatched CHECK (state <> 'unmatched' OR person_id IS NULL),
  CONSTRAINT fk_inbox_event_journey_id FOREIGN KEY(journey_id) REFERENCES journey (id),
  CONSTRAINT fk_inbox_event_person_id FOREIGN KEY(person_id) REFERENCES person (id),
  CONSTRAINT uq_inbox_event_source_key UNIQUE (source, "key")
)
-- next
CREATE TABLE group_member (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  group_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  entered_at VARCHAR(27) NOT NULL,
  left_at VARCHAR(27),
  CONSTRAINT fk_group_member_group_id FOREIGN KEY(group_id) REFERENCES "group" (id),
  CONSTRAINT fk_group_member_person_id FOREIGN KEY(person_id) REFERENCES person (id)
)
-- next
CREATE TABLE person_tag (
  person_id INTEGER NOT NULL,
  tag TEXT NOT NULL,
  CONSTRAINT fk_person_tag_person_id FOREIGN KEY(person_id) REFERENCES person (id),
  CONSTRAINT pk_person_tag PRIMARY KEY (person_id, tag)
)
-- next
CREATE TABLE record (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  version INTEGER DEFAULT 1 NOT NULL,
  person_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  label TEXT DEFAULT '' NOT NULL,
  status TEXT NOT NULL,
  external_id TEXT,
  starts_at VARCHAR(27),
  due_on DATE,
  amount FLOAT,
  created_at VARCHAR(27) NOT NULL,
  status_changed_at VARCHAR(27) NOT NULL,
  import_id INTEGER,
  CONSTRAINT ck_record_kind CHECK (kind IN ('appointment', 'job', 'quote', 'invoice')),
  CONSTRAINT fk_record_import_id FOREIGN KEY(import_id) REFERENCES import_batch (id),
  CONSTRAINT fk_record_person_id FOREIGN KEY(person_id) REFERENCES person (id),
  CONSTRAINT uq_record_kind_external_id UNIQUE (kind, external_id)
)
-- next
CREATE TABLE consent (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL,
  channel TEXT NOT NULL,
  purpose TEXT NOT NULL,
  act TEXT NOT NULL,
  address TEXT,
  at VARCHAR(27) NOT NULL,
  how TEXT NOT NULL,
  wording TEXT DEFAULT '' NOT NULL,
  evidence TEXT DEFAULT '' NOT NULL,
  recorded_by TEXT DEFAULT '' NOT NULL,
  recorded_at VARCHAR(27) NOT NULL,
  import_id INTEGER,
  CONSTRAINT ck_consent_act CHECK (act IN ('given', 'revoked')),
  CONSTRAINT ck_consent_channel CHECK (channel IN ('email', 'sms', 'call')),
  CONSTRAINT ck_consent_purpose CHECK (purpose IN ('marketing', 'care')),
  CONSTRAINT fk_consent_import_id FOREIGN KEY(import_id) REFERENCES import_batch (id),
  CONSTRAINT fk_consent_person_id FOREIGN KEY(person_id) REFERENCES person (id)
)
-- next
CREATE TABLE enrollment (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  version INTEGER DEFAULT 1 NOT NULL,
  person_id INTEGER NOT NULL,
  journey_id INTEGER NOT NULL,
  journey_version_id INTEGER NOT NULL,
  entry_key TEXT NOT NULL,
  record_id INTEGER,
  entered_at VARCHAR(27) NOT NULL,
  entered_by TEXT DEFAULT '' NOT NULL,
  reason TEXT DEFAULT '' NOT NULL,
  state TEXT DEFAULT 'active' NOT NULL,
  step TEXT NOT NULL,
  pass_no INTEGER DEFAULT 1 NOT NULL,
  waits_for TEXT DEFAULT 'nothing' NOT NULL,
  step_entered_at VARCHAR(27) NOT NULL,
  wake_at VARCHAR(27),
  hold_why TEXT,
  hold_until VARCHAR(27),
  hold_facts JSON,
  paused_until VARCHAR(27),
  paused_by TEXT DEFAULT '' NOT NULL,
  send_budget INTEGER NOT NULL,
  ended_at VARCHAR(27),
  end_detail TEXT,
  ended_by_guard TEXT,
  ended_by_event_id INTEGER,
  CONSTRAINT ck_enrollment_end_detail CHECK ((ended_at IS NULL) = (end_detail IS NULL)),
  CONSTRAINT ck_enrollment_ended CHECK ((state IN ('active', 'paused')) = (ended_at IS NULL)),
  CONSTRAINT ck_enrollment_ended_sleeps CHECK (state IN ('active', 'paused') OR wake_at IS NULL),
  CONSTRAINT ck_enrollment_pass_no CHECK (pass_no >= 1),
  CONSTRAINT ck_enrollment_paused CHECK (state = 'paused' OR paused_until IS NULL),
  CONSTRAINT ck_enrollment_send_budget CHECK (send_budget >= 0),
  CONSTRAINT ck_enrollment_state CHECK (state IN ('active', 'paused', 'replied', 'converted', 'opted_out', 'exhausted', 'suppressed', 'stopped', 'closed')),
  CONSTRAINT ck_enrollment_step CHECK (step <> ''),
  CONSTRAINT ck_enrollment_waits_for CHECK (waits_for IN ('nothing', 'time', 'message')),
  CONSTRAINT ck_enrollment_wakes CHECK (state <> 'active' OR wake_at IS NOT NULL OR waits_for = 'message'),
  CONSTRAINT fk_enrollment_ended_by_event_id FOREIGN KEY(ended_by_event_id) REFERENCES inbox_event (id),
  CONSTRAINT fk_enrollment_journey_id FOREIGN KEY(journey_id) REFERENCES journey (id),
  CONSTRAINT fk_enrollment_journey_version_id FOREIGN KEY(journey_version_id) REFERENCES journey_version (id),
  CONSTRAINT fk_enrollment_person_id FOREIGN KEY(person_id) REFERENCES person (id),
  CONSTRAINT fk_enrollment_record_id FOREIGN KEY(record_id) REFERENCES record (id),
  CONSTRAINT uq_enrollment_journey_id_person_id_entry_key UNIQUE (journey_id, person_id, entry_key)
)
-- next
CREATE TABLE suppression (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  channel TEXT NOT NULL,
  address_key TEXT NOT NULL,
  hashed BOOLEAN DEFAULT 0 NOT NULL,
  why TEXT NOT NULL,
  person_id INTEGER,
  event_id INTEGER,
  created_at VARCHAR(27) NOT NULL,
  lifted_at VARCHAR(27),
  lift_evidence TEXT DEFAULT '' NOT NULL,
  CONSTRAINT ck_suppression_channel CHECK (channel IN ('email', 'sms', 'call')),
  CONSTRAINT ck_suppression_evidence CHECK (lifted_at IS NULL OR lift_evidence <> ''),
  CONSTRAINT fk_suppression_event_id FOREIGN KEY(event_id) REFERENCES inbox_event (id),
  CONSTRAINT fk_suppression_person_id FOREIGN KEY(person_id) REFERENCES person (id)
)
-- next
CREATE TABLE message (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  version INTEGER DEFAULT 1 NOT NULL,
  enrollment_id INTEGER,
  person_id INTEGER NOT NULL,
  location_id INTEGER NOT NULL,
  step TEXT,
  pass_no INTEGER DEFAULT 1 NOT NULL,
  channel TEXT NOT NULL,
  template TEXT DEFAULT '' NOT NULL,
  template_version_id INTEGER,
  state TEXT DEFAULT 'queued' NOT NULL,
  attempts INTEGER DEFAULT 0 NOT NULL,
  lookups INTEGER DEFAULT 0 NOT NULL,
  due_at VARCHAR(27) NOT NULL,
  try_at VARCHAR(27) NOT NULL,
  useful_until VARCHAR(27),
  hold_why TEXT,
  hold_facts JSON,
  to_address TEXT,
  subject TEXT DEFAULT '' NOT NULL,
  body TEXT DEFAULT '' NOT NULL,
  lease_token TEXT,
  lease_until VARCHAR(27),
  created_at VARCHAR(27) NOT NULL,
  created_by TEXT DEFAULT '' NOT NULL,
  noted_at VARCHAR(27),
  provider TEXT,
  provider_id TEXT,
  accepted_at VARCHAR(27),
  final_at VARCHAR(27),
  stop_requested_at VARCHAR(27),
  stop_event_id INTEGER,
  reason TEXT,
  reason_code TEXT DEFAULT '' NOT NULL,
  possible_duplicate BOOLEAN DEFAULT 0 NOT NULL,
  trace JSON,
  CONSTRAINT ck_message_accepted CHECK ((state IN ('accepted', 'delivered', 'undelivered')) = (accepted_at IS NOT NULL)),
  CONSTRAINT ck_message_attempts CHECK (attempts BETWEEN 0 AND 3),
  CONSTRAINT ck_message_channel CHECK (channel IN ('email', 'sms', 'call')),
  CONSTRAINT ck_message_final CHECK ((state IN ('delivered', 'undelivered', 'failed', 'cancelled')) = (final_at IS NOT NULL)),
  CONSTRAINT ck_message_lease CHECK ((state IN ('leased', 'sending')) = (lease_until IS NOT NULL)),
  CONSTRAINT ck_message_lease_token CHECK ((lease_token IS NULL) = (lease_until IS NULL)),
  CONSTRAINT ck_message_lookups CHECK (lookups >= 0),
  CONSTRAINT ck_message_noted CHECK (state <> 'sending' OR (to_address IS NOT NULL AND noted_at IS NOT NULL)),
  CONSTRAINT ck_message_reason CHECK (state NOT IN ('cancelled', 'failed') OR reason IS NOT NULL),
  CONSTRAINT ck_message_state CHECK (state IN ('queued', 'leased', 'sending', 'accepted', 'delivered', 'undelivered', 'failed', 'cancelled')),
  CONSTRAINT ck_message_step CHECK ((enrollment_id IS NULL) = (step IS NULL)),
  CONSTRAINT fk_message_enrollment_id FOREIGN KEY(enrollment_id) REFERENCES enrollment (id),
  CONSTRAINT fk_message_location_id FOREIGN KEY(location_id) REFERENCES location (id),
  CONSTRAINT fk_message_person_id FOREIGN KEY(person_id) REFERENCES person (id),
  CONSTRAINT fk_message_stop_event_id FOREIGN KEY(stop_event_id) REFERENCES inbox_event (id),
  CONSTRAINT fk_message_template_version_id FOREIGN KEY(template_version_id) REFERENCES template_version (id),
  CONSTRAINT uq_message_enrollment_id_step_pass_no UNIQUE (enrollment_id, step, pass_no)
)
-- next
CREATE TABLE attempt (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  "key" TEXT NOT NULL,
  worker TEXT NOT NULL,
  noted_at VARCHAR(27) NOT NULL,
  handed_at VARCHAR(27),
  answered_at VARCHAR(27),
  answer TEXT DEFAULT 'open' NOT NULL,
  why TEXT,
  code TEXT DEFAULT '' NOT NULL,
  provider TEXT NOT NULL,
  provider_id TEXT,
  trace JSON NOT NULL,
  CONSTRAINT ck_attempt_answer CHECK (answer IN ('open', 'accepted', 'transient', 'permanent', 'outage', 'not_made', 'not_found', 'unknown')),
  CONSTRAINT ck_attempt_answered CHECK ((answer = 'open') = (answered_at IS NULL)),
  CONSTRAINT ck_attempt_number CHECK (number BETWEEN 1 AND 9999),
  CONSTRAINT fk_attempt_message_id FOREIGN KEY(message_id) REFERENCES message (id),
  CONSTRAINT uq_attempt_key UNIQUE ("key"),
  CONSTRAINT uq_attempt_message_id_number UNIQUE (message_id, number)
)
-- next
CREATE TABLE problem (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  "key" TEXT NOT NULL,
  at VARCHAR(27) NOT NULL,
  why TEXT NOT NULL,
  person_id INTEGER,
  enrollment_id INTEGER,
  message_id INTEGER,
  inbox_event_id INTEGER,
  facts JSON DEFAULT '{}' NOT NULL,
  solved_at VARCHAR(27),
  solved_by TEXT DEFAULT '' NOT NULL,
  CONSTRAINT fk_problem_enrollment_id FOREIGN KEY(enrollment_id) REFERENCES enrollment (id),
  CONSTRAINT fk_problem_inbox_event_id FOREIGN KEY(inbox_event_id) REFERENCES inbox_event (id),
  CONSTRAINT fk_problem_message_id FOREIGN KEY(message_id) REFERENCES message (id),
  CONSTRAINT fk_problem_person_id FOREIGN KEY(person_id) REFERENCES person (id)
)
-- next
CREATE INDEX ix_consent_import_id ON consent (import_id)
-- next
CREATE INDEX ix_consent_person ON consent (person_id, channel, purpose)
-- next
CREATE INDEX ix_enrollment_due ON enrollment (wake_at) WHERE state = 'active'
-- next
CREATE INDEX ix_enrollment_ended ON enrollment (ended_at, person_id) WHERE ended_at IS NOT NULL
-- next
CREATE INDEX ix_enrollment_held ON enrollment (hold_why) WHERE hold_why IS NOT NULL
-- next
CREATE INDEX ix_enrollment_journey_version_id ON enrollment (journey_version_id)
-- next
CREATE INDEX ix_enrollment_person ON enrollment (person_id)
-- next
CREATE INDEX ix_enrollment_record ON enrollment (record_id) WHERE record_id IS NOT NULL
-- next
CREATE INDEX ix_enrollment_resume ON enrollment (paused_until) WHERE state = 'paused' AND paused_until IS NOT NULL
-- next
CREATE INDEX ix_group_member_person_id ON group_member (person_id)
-- next
CREATE INDEX ix_import_change_import_id ON import_change (import_id)
-- next
CREATE INDEX ix_inbox_event_person ON inbox_event (person_id, happened_at)
-- next
CREATE INDEX ix_inbox_event_waiting ON inbox_event (state) WHERE state IN ('received', 'unmatched')
-- next
CREATE INDEX ix_log_entry_message ON log_entry (message_id) WHERE message_id IS NOT NULL
-- next
CREATE INDEX ix_log_entry_person ON log_entry (person_id) WHERE person_id IS NOT NULL
-- next
CREATE INDEX ix_message_leased ON message (lease_until) WHERE state = 'leased'
-- next
CREATE INDEX ix_message_person_noted ON message (person_id, noted_at)
-- next
CREATE INDEX ix_message_provider ON message (provider, provider_id) WHERE provider_id IS NOT NULL
-- next
CREATE INDEX ix_message_queued ON message (try_at) WHERE state = 'queued'
-- next
CREATE INDEX ix_message_reached ON message (coalesce(final_at, accepted_at, noted_at, created_at))
-- next
CREATE INDEX ix_message_sending ON message (lease_until) WHERE state = 'sending'
-- next
CREATE INDEX ix_person_alt_phone ON person (alt_phone)
-- next
CREATE INDEX ix_person_email ON person (email)
-- next
CREATE INDEX ix_person_import_id ON person (import_id)
-- next
CREATE INDEX ix_person_location_id ON person (location_id)
-- next
CREATE INDEX ix_person_name ON person (last_name, first_name, id)
-- next
CREATE INDEX ix_person_phone ON person (phone)
-- next
CREATE INDEX ix_person_search ON person (search_text, location_id, contact) WHERE erased_at IS NULL
-- next
CREATE INDEX ix_person_tag_tag ON person_tag (tag, person_id)
-- next
CREATE INDEX ix_problem_person_id ON problem (person_id)
-- next
CREATE INDEX ix_record_import_id ON record (import_id)
-- next
CREATE INDEX ix_record_person ON record (person_id, kind, status)
-- next
CREATE INDEX ix_record_status ON record (kind, status, status_changed_at)
-- next
CREATE INDEX ix_suppression_event_id ON suppression (event_id)
-- next
CREATE INDEX ix_suppression_person_id ON suppression (person_id)
-- next
CREATE UNIQUE INDEX ux_attempt_open ON attempt (message_id) WHERE answer = 'open'
-- next
CREATE UNIQUE INDEX ux_enrollment_live ON enrollment (person_id, journey_id) WHERE state IN ('active', 'paused')
-- next
CREATE UNIQUE INDEX ux_group_member_inside ON group_member (group_id, person_id) WHERE left_at IS NULL
-- next
CREATE UNIQUE INDEX ux_problem_open ON problem ("key") WHERE solved_at IS NULL
-- next
CREATE UNIQUE INDEX ux_suppression_standing ON suppression (channel, address_key) WHERE lifted_at IS NULL
-- next
CREATE TRIGGER enrollment_starts_live BEFORE INSERT ON enrollment
WHEN NEW.state NOT IN ('active', 'paused')
BEGIN SELECT RAISE(ABORT, 'I3: an enrollment starts active or paused'); END
-- next
CREATE TRIGGER enrollment_proven BEFORE INSERT ON enrollment
WHEN NOT EXISTS (SELECT 1 FROM journey_version v WHERE v.id = NEW.journey_version_id AND v.journey_id = NEW.journey_id AND NEW.send_budget <= v.send_budget)
BEGIN SELECT RAISE(ABORT, 'I5: an enrollment may not send more than its journey version was proven to send'); END
-- next
CREATE TRIGGER enrollment_ended BEFORE UPDATE ON enrollment
WHEN OLD.state NOT IN ('active', 'paused') AND (NEW.state IS NOT OLD.state OR NEW.step IS NOT OLD.step OR NEW.pass_no IS NOT OLD.pass_no OR NEW.waits_for IS NOT OLD.waits_for OR NEW.step_entered_at IS NOT OLD.step_entered_at OR NEW.wake_at IS NOT OLD.wake_at OR NEW.journey_version_id IS NOT OLD.journey_version_id OR NEW.hold_why IS NOT OLD.hold_why OR NEW.hold_until IS NOT OLD.hold_until OR NEW.paused_until IS NOT OLD.paused_until OR NEW.send_budget IS NOT OLD.send_budget OR NEW.ended_at IS NOT OLD.ended_at OR NEW.end_detail IS NOT OLD.end_detail OR NEW.ended_by_guard IS NOT OLD.ended_by_guard OR NEW.ended_by_event_id IS NOT OLD.ended_by_event_id)
BEGIN SELECT RAISE(ABORT, 'I3: an enrollment that has ended does not change'); END
-- next
CREATE TRIGGER enrollment_versioned BEFORE UPDATE OF state ON enrollment
WHEN NEW.state <> OLD.state AND NEW.version <= OLD.version
BEGIN SELECT RAISE(ABORT, 'I9: a new state of enrollment needs a new version'); END
-- next
CREATE TRIGGER enrollment_ways BEFORE UPDATE OF state ON enrollment
WHEN NEW.state <> OLD.state AND NOT ((OLD.state = 'active' AND NEW.state IN ('closed', 'converted', 'exhausted', 'opted_out', 'paused', 'replied', 'stopped', 'suppressed')) OR (OLD.state = 'paused' AND NEW.state IN ('active', 'closed', 'converted', 'exhausted', 'opted_out', 'replied', 'stopped', 'suppressed')))
BEGIN SELECT RAISE(ABORT, 'I3: an enrollment has no such way between states'); END
-- next
CREATE TRIGGER enrollment_fixed BEFORE UPDATE OF person_id, journey_id, entry_key, record_id ON enrollment
WHEN NEW.person_id IS NOT OLD.person_id OR NEW.journey_id IS NOT OLD.journey_id OR NEW.entry_key IS NOT OLD.entry_key OR NEW.record_id IS NOT OLD.record_id
BEGIN SELECT RAISE(ABORT, 'I2: who entered which journey and for what does not change'); END
-- next
CREATE TRIGGER enrollment_budget_fixed BEFORE UPDATE OF send_budget, journey_version_id ON enrollment
WHEN NEW.journey_version_id = OLD.journey_version_id AND NEW.send_budget <> OLD.send_budget
BEGIN SELECT RAISE(ABORT, 'I5: a send budget does not change on the same journey version'); END
-- next
CREATE TRIGGER enrollment_moved BEFORE UPDATE OF journey_version_id ON enrollment
WHEN NEW.journey_version_id <> OLD.journey_version_id AND NOT EXISTS (SELECT 1 FROM journey_version v WHERE v.id = NEW.journey_version_id AND v.journey_id = NEW.journey_id AND NEW.send_budget <= v.send_budget + (SELECT count(*) FROM message m WHERE m.enrollment_id = NEW.id))
BEGIN SELECT RAISE(ABORT, 'I5: a moved enrollment may not send more than its new version was proven to send'); END
-- next
CREATE TRIGGER enrollment_kept BEFORE DELETE ON enrollment
BEGIN SELECT RAISE(ABORT, 'I2: an enrollment is never deleted'); END
-- next
CREATE TRIGGER message_starts_queued BEFORE INSERT ON message
WHEN NEW.state <> 'queued' OR NEW.attempts <> 0
BEGIN SELECT RAISE(ABORT, 'I7: a message starts queued, with no attempt made'); END
-- next
CREATE TRIGGER message_of_live_enrollment AFTER INSERT ON message
WHEN NEW.enrollment_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM enrollment e WHERE e.id = NEW.enrollment_id AND e.person_id = NEW.person_id AND e.ended_at IS NULL)
BEGIN SELECT RAISE(ABORT, 'I3: the enrollment has ended, so it sends nothing more'); END
-- next
CREATE TRIGGER message_within_budget AFTER INSERT ON message
WHEN NEW.enrollment_id IS NOT NULL AND (SELECT count(*) FROM message m WHERE m.enrollment_id = NEW.enrollment_id) > (SELECT e.send_budget FROM enrollment e WHERE e.id = NEW.enrollment_id)
BEGIN SELECT RAISE(ABORT, 'I5: the enrollment has sent as much as its journey was proven to send'); END
-- next
CREATE TRIGGER message_versioned BEFORE UPDATE OF state ON message
WHEN NEW.state <> OLD.state AND NEW.version <= OLD.version
BEGIN SELECT RAISE(ABORT, 'I9: a new state of message needs a new version'); END
-- next
CREATE TRIGGER message_ways BEFORE UPDATE OF state ON message
WHEN NEW.state <> OLD.state AND NOT ((OLD.state = 'queued' AND NEW.state IN ('cancelled', 'leased')) OR (OLD.state = 'leased' AND NEW.state IN ('cancelled', 'queued', 'sending')) OR (OLD.state = 'sending' AND NEW.state IN ('accepted', 'cancelled', 'failed', 'queued')) OR (OLD.state = 'accepted' AND NEW.state IN ('delivered', 'undelivered')))
BEGIN SELECT RAISE(ABORT, 'I11: a message has no such way between states'); END
-- next
CREATE TRIGGER message_final BEFORE UPDATE ON message
WHEN OLD.final_at IS NOT NULL AND (NEW.attempts IS NOT OLD.attempts OR NEW.try_at IS NOT OLD.try_at OR NEW.noted_at IS NOT OLD.noted_at OR NEW.provider IS NOT OLD.provider OR NEW.provider_id IS NOT OLD.provider_id OR NEW.accepted_at IS NOT OLD.accepted_at OR NEW.final_at IS NOT OLD.final_at OR NEW.reason IS NOT OLD.reason OR NEW.reason_code IS NOT OLD.reason_code)
BEGIN SELECT RAISE(ABORT, 'I11: a message whose outcome is final keeps it'); END
-- next
CREATE TRIGGER message_fixed BEFORE UPDATE OF enrollment_id, person_id, step, pass_no, channel, created_at ON message
WHEN NEW.enrollment_id IS NOT OLD.enrollment_id OR NEW.person_id IS NOT OLD.person_id OR NEW.step IS NOT OLD.step OR NEW.pass_no IS NOT OLD.pass_no OR NEW.channel IS NOT OLD.channel OR NEW.created_at IS NOT OLD.created_at
BEGIN SELECT RAISE(ABORT, 'I4: which step of which enrollment a message is does not change'); END
-- next
CREATE TRIGGER message_noted BEFORE UPDATE OF state ON message
WHEN NEW.state = 'sending' AND OLD.state <> 'sending' AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.message_id = NEW.id AND a.answer = 'open')
BEGIN SELECT RAISE(ABORT, 'I7: a message is handed over only with the note of its attempt'); END
-- next
CREATE TRIGGER message_follow_up_runs BEFORE UPDATE OF state ON message
WHEN NEW.state = 'sending' AND OLD.state <> 'sending' AND NEW.enrollment_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM enrollment e WHERE e.id = NEW.enrollment_id AND e.state = 'active')
BEGIN SELECT RAISE(ABORT, 'I6: a message is handed over only while its enrollment is active'); END
-- next
CREATE TRIGGER message_not_suppressed BEFORE UPDATE OF state ON message
WHEN NEW.state = 'sending' AND OLD.state <> 'sending' AND EXISTS (SELECT 1 FROM suppression s WHERE s.channel = NEW.channel AND s.address_key = NEW.to_address AND s.lifted_at IS NULL)
BEGIN SELECT RAISE(ABORT, 'I10: the address is on the do-not-contact list'); END
-- next
CREATE TRIGGER message_kept BEFORE DELETE ON message
BEGIN SELECT RAISE(ABORT, 'I4: a message is never deleted'); END
-- next
CREATE TRIGGER attempt_starts_open BEFORE INSERT ON attempt
WHEN NEW.answer <> 'open'
BEGIN SELECT RAISE(ABORT, 'I7: an attempt is noted before its outcome is known'); END
-- next
CREATE TRIGGER attempt_answered_once BEFORE UPDATE ON attempt
WHEN OLD.answer <> 'open' AND (NEW.answer IS NOT OLD.answer OR NEW.why IS NOT OLD.why OR NEW.code IS NOT OLD.code OR NEW.provider_id IS NOT OLD.provider_id OR NEW.handed_at IS NOT OLD.handed_at OR NEW.answered_at IS NOT OLD.answered_at)
BEGIN SELECT RAISE(ABORT, 'I7: an attempt that has its answer keeps it'); END
-- next
CREATE TRIGGER attempt_note_fixed BEFORE UPDATE OF message_id, number, key, worker, noted_at, provider, trace ON attempt
WHEN NEW.message_id IS NOT OLD.message_id OR NEW.number IS NOT OLD.number OR NEW.key IS NOT OLD.key OR NEW.worker IS NOT OLD.worker OR NEW.noted_at IS NOT OLD.noted_at OR NEW.provider IS NOT OLD.provider OR NEW.trace IS NOT OLD.trace
BEGIN SELECT RAISE(ABORT, 'I7: the note of an attempt does not change'); END
-- next
CREATE TRIGGER attempt_kept BEFORE DELETE ON attempt
BEGIN SELECT RAISE(ABORT, 'I7: an attempt is never deleted'); END
-- next
CREATE TRIGGER template_version_fixed BEFORE UPDATE ON template_version
BEGIN SELECT RAISE(ABORT, 'I15: a template version does not change'); END
-- next
CREATE TRIGGER template_version_kept BEFORE DELETE ON template_version
BEGIN SELECT RAISE(ABORT, 'I15: a template version does not change'); END
-- next
CREATE TRIGGER journey_version_fixed BEFORE UPDATE ON journey_version
BEGIN SELECT RAISE(ABORT, 'I15: a published journey version does not change'); END
-- next
CREATE TRIGGER journey_version_kept BEFORE DELETE ON journey_version
BEGIN SELECT RAISE(ABORT, 'I15: a published journey version does not change'); END
-- next
CREATE TRIGGER person_versioned BEFORE UPDATE OF contact ON person
WHEN NEW.contact <> OLD.contact AND NEW.version <= OLD.version
BEGIN SELECT RAISE(ABORT, 'I9: a new contact of person needs a new version'); END
-- next
CREATE TRIGGER person_ways BEFORE UPDATE OF contact ON person
WHEN NEW.contact <> OLD.contact AND NOT ((OLD.contact = 'open' AND NEW.contact IN ('do_not_contact', 'with_staff')) OR (OLD.contact = 'with_staff' AND NEW.contact IN ('do_not_contact', 'open')) OR (OLD.contact = 'do_not_contact' AND NEW.contact IN ('open')))
BEGIN SELECT RAISE(ABORT, 'a person has no such way between contact states'); END
-- next
CREATE TRIGGER consent_fixed BEFORE UPDATE ON consent
WHEN NEW.person_id IS NOT OLD.person_id OR NEW.channel IS NOT OLD.channel OR NEW.purpose IS NOT OLD.purpose OR NEW.act IS NOT OLD.act OR NEW.at IS NOT OLD.at OR NEW.how IS NOT OLD.how OR NEW.wording IS NOT OLD.wording OR NEW.recorded_by IS NOT OLD.recorded_by OR NEW.recorded_at IS NOT OLD.recorded_at
BEGIN SELECT RAISE(ABORT, 'consent is append-only: add a new row'); END
-- next
CREATE TRIGGER consent_kept BEFORE DELETE ON consent
WHEN EXISTS (SELECT 1 FROM message m WHERE m.person_id = OLD.person_id)
BEGIN SELECT RAISE(ABORT, 'consent is kept: this person was written to'); END
-- next
CREATE TRIGGER suppression_fixed BEFORE UPDATE ON suppression
WHEN OLD.lifted_at IS NOT NULL AND (NEW.lifted_at IS NOT OLD.lifted_at OR NEW.lift_evidence IS NOT OLD.lift_evidence)
BEGIN SELECT RAISE(ABORT, 'I10: a do-not-contact entry is lifted once, with its evidence, and never changed back'); END
-- next
CREATE TRIGGER suppression_stays BEFORE UPDATE OF channel, why, created_at ON suppression
WHEN NEW.channel IS NOT OLD.channel OR NEW.why IS NOT OLD.why OR NEW.created_at IS NOT OLD.created_at
BEGIN SELECT RAISE(ABORT, 'I10: what a do-not-contact entry is about does not change'); END
-- next
CREATE TRIGGER suppression_address_stays BEFORE UPDATE OF address_key, hashed ON suppression
WHEN NOT (NEW.hashed AND NOT OLD.hashed) AND (NEW.address_key IS NOT OLD.address_key OR NEW.hashed IS NOT OLD.hashed)
BEGIN SELECT RAISE(ABORT, 'I10: the address of a do-not-contact entry only ever becomes its hash'); END
-- next
CREATE TRIGGER suppression_kept BEFORE DELETE ON suppression
BEGIN SELECT RAISE(ABORT, 'I10: a do-not-contact entry is never deleted'); END
-- next
CREATE TRIGGER inbox_event_fixed BEFORE UPDATE OF source, key, kind, happened_at, received_at, payload_hash ON inbox_event
WHEN NEW.source IS NOT OLD.source OR NEW.key IS NOT OLD.key OR NEW.kind IS NOT OLD.kind OR NEW.happened_at IS NOT OLD.happened_at OR NEW.received_at IS NOT OLD.received_at OR NEW.payload_hash IS NOT OLD.payload_hash
BEGIN SELECT RAISE(ABORT, 'I8: what came in does not change'); END
-- next
CREATE TRIGGER inbox_event_applied_once BEFORE UPDATE ON inbox_event
WHEN OLD.applied_at IS NOT NULL AND (NEW.applied_at IS NOT OLD.applied_at OR NEW.state IS NOT OLD.state OR NEW.person_id IS NOT OLD.person_id)
BEGIN SELECT RAISE(ABORT, 'I8: an event takes effect once'); END
-- next
CREATE TRIGGER inbox_event_kept BEFORE DELETE ON inbox_event
BEGIN SELECT RAISE(ABORT, 'I17: what came in is never deleted'); END
-- next
CREATE TRIGGER log_entry_fixed BEFORE UPDATE ON log_entry
BEGIN SELECT RAISE(ABORT, 'I15: the log is append-only'); END
-- next
CREATE TRIGGER log_entry_kept BEFORE DELETE ON log_entry
BEGIN SELECT RAISE(ABORT, 'I15: the log is append-only'); END
-- next
CREATE TRIGGER log_seal_fixed BEFORE UPDATE ON log_seal
BEGIN SELECT RAISE(ABORT, 'I15: a seal of the log does not change'); END
-- next
CREATE TRIGGER log_seal_kept BEFORE DELETE ON log_seal
BEGIN SELECT RAISE(ABORT, 'I15: a seal of the log does not change'); END