CREATE TABLE lap (
  enrollment_id INTEGER NOT NULL,
  step TEXT NOT NULL,
  jumps INTEGER NOT NULL,
  CONSTRAINT ck_lap_jumps CHECK (jumps >= 1),
  CONSTRAINT fk_lap_enrollment_id FOREIGN KEY(enrollment_id) REFERENCES enrollment (id),
  CONSTRAINT pk_lap PRIMARY KEY (enrollment_id, step)
)
