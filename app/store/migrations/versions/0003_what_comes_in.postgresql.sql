CREATE TABLE source_mark (
  source TEXT NOT NULL,
  mark JSON,
  tried_at TIMESTAMP WITH TIME ZONE,
  worked_at TIMESTAMP WITH TIME ZONE,
  try_at TIMESTAMP WITH TIME ZONE,
  fault_why TEXT,
  fault_code TEXT DEFAULT '' NOT NULL,
  failing_since TIMESTAMP WITH TIME ZONE,
  CONSTRAINT ck_source_mark_fault CHECK ((fault_why IS NULL) = (failing_since IS NULL)),
  CONSTRAINT pk_source_mark PRIMARY KEY (source)
)
-- next
CREATE TABLE inbox_raw (
  event_id BIGINT NOT NULL,
  raw BYTEA NOT NULL,
  cut BOOLEAN DEFAULT false NOT NULL,
  CONSTRAINT fk_inbox_raw_event_id FOREIGN KEY(event_id) REFERENCES inbox_event (id),
  CONSTRAINT pk_inbox_raw PRIMARY KEY (event_id)
)
-- next
CREATE FUNCTION inbox_raw_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION USING MESSAGE = 'I17: a mail is kept as it came', ERRCODE = 'check_violation'; RETURN NEW; END $$
-- next
CREATE TRIGGER inbox_raw_fixed BEFORE UPDATE ON inbox_raw
FOR EACH ROW WHEN (NEW.event_id IS DISTINCT FROM OLD.event_id OR NEW.raw IS DISTINCT FROM OLD.raw OR NEW.cut IS DISTINCT FROM OLD.cut) EXECUTE FUNCTION inbox_raw_fixed()