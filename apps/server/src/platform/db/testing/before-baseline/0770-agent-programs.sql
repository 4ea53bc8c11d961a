-- oldest program: 0.1.0
-- What an agent says of its own program: whether it can verify a newer one, and what it can go back to.
alter table agents add column program jsonb;
