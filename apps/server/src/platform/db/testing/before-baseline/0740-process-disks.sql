-- oldest program: 0.1.0
-- Since when each process runs, and the disk of what it keeps: for whoever looks after the deployment.
alter table heartbeats
  add column started_at timestamptz,
  add column disk_total bigint,
  add column disk_free bigint;
