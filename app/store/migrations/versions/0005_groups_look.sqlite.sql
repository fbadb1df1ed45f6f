CREATE TABLE group_state (
  group_id INTEGER NOT NULL,
  looked_for JSON NOT NULL,
  looked_to INTEGER,
  CONSTRAINT fk_group_state_group_id FOREIGN KEY(group_id) REFERENCES "group" (id),
  CONSTRAINT pk_group_state PRIMARY KEY (group_id)
)
-- next
CREATE TABLE group_look (
  id INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  look_at VARCHAR(27),
  CONSTRAINT fk_group_look_person_id FOREIGN KEY(person_id) REFERENCES person (id),
  CONSTRAINT pk_group_look PRIMARY KEY (id)
)
-- next
CREATE TABLE group_record (
  id INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  record_id INTEGER NOT NULL,
  entered_at VARCHAR(27) NOT NULL,
  left_at VARCHAR(27),
  CONSTRAINT fk_group_record_group_id FOREIGN KEY(group_id) REFERENCES "group" (id),
  CONSTRAINT fk_group_record_person_id FOREIGN KEY(person_id) REFERENCES person (id),
  CONSTRAINT pk_group_record PRIMARY KEY (id)
)
-- next
CREATE TABLE group_entry (
  id INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  journey_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  record_id INTEGER NOT NULL,
  entered_at VARCHAR(27) NOT NULL,
  from_at VARCHAR(27),
  CONSTRAINT fk_group_entry_group_id FOREIGN KEY(group_id) REFERENCES "group" (id),
  CONSTRAINT fk_group_entry_journey_id FOREIGN KEY(journey_id) REFERENCES journey (id),
  CONSTRAINT fk_group_entry_person_id FOREIGN KEY(person_id) REFERENCES person (id),
  CONSTRAINT pk_group_entry PRIMARY KEY (id),
  CONSTRAINT uq_group_entry_person_id_journey_id_record_id UNIQUE (person_id, journey_id, record_id)
)
-- next
CREATE INDEX ix_group_look_changed ON group_look (id) WHERE look_at IS NULL
-- next
CREATE INDEX ix_group_look_due ON group_look (look_at) WHERE look_at IS NOT NULL
-- next
CREATE INDEX ix_group_look_person_id ON group_look (person_id)
-- next
CREATE INDEX ix_group_record_person_id ON group_record (person_id)
-- next
CREATE UNIQUE INDEX ux_group_record_inside ON group_record (group_id, record_id) WHERE left_at IS NULL
-- next
CREATE TRIGGER person_added_look AFTER INSERT ON person
BEGIN INSERT INTO group_look (person_id) VALUES (NEW.id); END
-- next
CREATE TRIGGER person_changed_look AFTER UPDATE OF location_id, first_name, last_name, email, phone, status, source, custom, contact, created_at, erased_at ON person
WHEN NEW.location_id IS NOT OLD.location_id OR NEW.first_name IS NOT OLD.first_name OR NEW.last_name IS NOT OLD.last_name OR NEW.email IS NOT OLD.email OR NEW.phone IS NOT OLD.phone OR NEW.status IS NOT OLD.status OR NEW.source IS NOT OLD.source OR NEW.custom IS NOT OLD.custom OR NEW.contact IS NOT OLD.contact OR NEW.created_at IS NOT OLD.created_at OR NEW.erased_at IS NOT OLD.erased_at
BEGIN INSERT INTO group_look (person_id) VALUES (NEW.id); END
-- next
CREATE TRIGGER tag_added_look AFTER INSERT ON person_tag
BEGIN INSERT INTO group_look (person_id) VALUES (NEW.person_id); END
-- next
CREATE TRIGGER tag_gone_look AFTER DELETE ON person_tag
BEGIN INSERT INTO group_look (person_id) VALUES (OLD.person_id); END
-- next
CREATE TRIGGER record_added_look AFTER INSERT ON record
BEGIN INSERT INTO group_look (person_id) VALUES (NEW.person_id); END
-- next
CREATE TRIGGER record_changed_look AFTER UPDATE OF person_id, kind, label, status, starts_at, due_on, status_changed_at ON record
WHEN NEW.person_id IS NOT OLD.person_id OR NEW.kind IS NOT OLD.kind OR NEW.label IS NOT OLD.label OR NEW.status IS NOT OLD.status OR NEW.starts_at IS NOT OLD.starts_at OR NEW.due_on IS NOT OLD.due_on OR NEW.status_changed_at IS NOT OLD.status_changed_at
BEGIN INSERT INTO group_look (person_id) VALUES (NEW.person_id); END
-- next
CREATE TRIGGER record_moved_look AFTER UPDATE OF person_id ON record
WHEN NEW.person_id <> OLD.person_id
BEGIN INSERT INTO group_look (person_id) VALUES (OLD.person_id); END
-- next
CREATE TRIGGER record_gone_look AFTER DELETE ON record
BEGIN INSERT INTO group_look (person_id) VALUES (OLD.person_id); END
-- next
CREATE TRIGGER event_added_look AFTER INSERT ON inbox_event
WHEN NEW.person_id IS NOT NULL
BEGIN INSERT INTO group_look (person_id) VALUES (NEW.person_id); END
-- next
CREATE TRIGGER event_matched_look AFTER UPDATE OF person_id ON inbox_event
WHEN NEW.person_id IS NOT NULL AND (NEW.person_id IS NOT OLD.person_id)
BEGIN INSERT INTO group_look (person_id) VALUES (NEW.person_id); END
-- next
CREATE TRIGGER follow_up_ended_look AFTER UPDATE OF ended_at ON enrollment
WHEN NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL
BEGIN INSERT INTO group_look (person_id) VALUES (NEW.person_id); END