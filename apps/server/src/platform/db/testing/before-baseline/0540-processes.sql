-- oldest program: 0.1.0
-- What each process is, and how far its clock is from the database's: for whoever looks after the deployment.
alter table heartbeats
  add column version text,
  add column host text,
  add column roles text,
  add column ahead_ms double precision;
