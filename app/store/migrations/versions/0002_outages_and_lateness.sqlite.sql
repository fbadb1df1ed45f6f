CREATE TEMPORARY TABLE old_channel_state AS SELECT * FROM channel_state
-- next
DROP TABLE channel_state
-- next
CREATE TABLE channel_state (
  channel TEXT NOT NULL,
  paused_why TEXT,
  paused_at VARCHAR(27),
  try_at VARCHAR(27),
  provider TEXT DEFAULT '' NOT NULL,
  failures INTEGER DEFAULT 0 NOT NULL,
  paced_until VARCHAR(27),
  CONSTRAINT ck_channel_state_channel CHECK (channel IN ('email', 'sms', 'call')),
  CONSTRAINT ck_channel_state_failures CHECK (failures >= 0),
  CONSTRAINT ck_channel_state_paused CHECK ((paused_why IS NULL) = (paused_at IS NULL)),
  CONSTRAINT pk_channel_state PRIMARY KEY (channel)
)
-- next
INSERT INTO channel_state (channel, paused_why, paused_at, try_at, provider)
  SELECT channel, paused_why, paused_at, try_at, provider FROM temp.old_channel_state
-- next
DROP TABLE temp.old_channel_state
-- next
CREATE TEMPORARY TABLE old_practice AS SELECT * FROM practice
-- next
DROP TABLE practice
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
  overdue_days INTEGER DEFAULT 3 NOT NULL,
  one_marketing BOOLEAN DEFAULT 1 NOT NULL,
  mode TEXT DEFAULT 'practice' NOT NULL,
  CONSTRAINT ck_practice_caps CHECK (per_day >= 1 AND per_week >= per_day),
  CONSTRAINT ck_practice_mode CHECK (mode IN ('practice', 'live')),
  CONSTRAINT ck_practice_overdue_days CHECK (overdue_days >= 1),
  CONSTRAINT ck_practice_single CHECK (id = 1),
  CONSTRAINT pk_practice PRIMARY KEY (id)
)
-- next
INSERT INTO practice (id, name, short_name, country, region, postal_address, website, per_day, per_week, mode)
  SELECT id, name, short_name, country, region, postal_address, website, per_day, per_week, mode FROM temp.old_practice
-- next
DROP TABLE temp.old_practice
-- next
CREATE INDEX ix_message_followed ON message (provider, accepted_at) WHERE state = 'accepted'
-- next
DROP TRIGGER message_ways
-- next
CREATE TRIGGER message_ways BEFORE UPDATE OF state ON message
WHEN NEW.state <> OLD.state AND NOT ((OLD.state = 'queued' AND NEW.state IN ('accepted', 'cancelled', 'leased')) OR (OLD.state = 'leased' AND NEW.state IN ('accepted', 'cancelled', 'queued', 'sending')) OR (OLD.state = 'sending' AND NEW.state IN ('accepted', 'cancelled', 'failed', 'queued')) OR (OLD.state = 'accepted' AND NEW.state IN ('delivered', 'undelivered')))
BEGIN SELECT RAISE(ABORT, 'I11: a message has no such way between states'); END