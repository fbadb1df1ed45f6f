ALTER TABLE channel_state
  ADD COLUMN failures INTEGER DEFAULT 0 NOT NULL,
  ADD COLUMN paced_until TIMESTAMP WITH TIME ZONE,
  ADD CONSTRAINT ck_channel_state_failures CHECK (failures >= 0)
-- next
ALTER TABLE practice
  ADD COLUMN overdue_days INTEGER DEFAULT 3 NOT NULL,
  ADD COLUMN one_marketing BOOLEAN DEFAULT true NOT NULL,
  ADD CONSTRAINT ck_practice_overdue_days CHECK (overdue_days >= 1)
-- next
CREATE INDEX ix_message_followed ON message (provider, accepted_at) WHERE state = 'accepted'
-- next
DROP TRIGGER message_ways ON message
-- next
CREATE TRIGGER message_ways BEFORE UPDATE OF state ON message
FOR EACH ROW WHEN (NEW.state <> OLD.state AND NOT ((OLD.state = 'queued' AND NEW.state IN ('accepted', 'cancelled', 'leased')) OR (OLD.state = 'leased' AND NEW.state IN ('accepted', 'cancelled', 'queued', 'sending')) OR (OLD.state = 'sending' AND NEW.state IN ('accepted', 'cancelled', 'failed', 'queued')) OR (OLD.state = 'accepted' AND NEW.state IN ('delivered', 'undelivered')))) EXECUTE FUNCTION message_ways()