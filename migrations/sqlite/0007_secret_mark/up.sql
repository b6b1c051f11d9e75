-- Tells the secret of this desk from any other, without telling it: a node with another one would void the others' links.
CREATE TABLE secret_marks (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    mark TEXT NOT NULL,
    made_at BIGINT NOT NULL
);
