CREATE TABLE source_mark (
  source TEXT NOT NULL,
  mark JSON,
  tried_at VARCHAR(27),
  worked_at VARCHAR(27),
  try_at VARCHAR(27),
  fault_why TEXT,
  fault_code TEXT DEFAULT '' NOT NULL,
  failing_since VARCHAR(27),
  CONSTRAINT ck_source_mark_fault CHECK ((fault_why IS NULL) = (failing_since IS NULL)),
  CONSTRAINT pk_source_mark PRIMARY KEY (source)
)
-- next
CREATE TABLE inbox_raw (
  event_id INTEGER NOT NULL,
  raw BLOB NOT NULL,
  cut BOOLEAN DEFAULT 0 NOT NULL,
  CONSTRAINT fk_inbox_raw_event_id FOREIGN KEY(event_id) REFERENCES inbox_event (id),
  CONSTRAINT pk_inbox_raw PRIMARY KEY (event_id)
)
-- next
CREATE TRIGGER inbox_raw_fixed BEFORE UPDATE ON inbox_raw
WHEN NEW.event_id IS NOT OLD.event_id OR NEW.raw IS NOT OLD.raw OR NEW.cut IS NOT OLD.cut
BEGIN SELECT RAISE(ABORT, 'I17: a mail is kept as it came'); END