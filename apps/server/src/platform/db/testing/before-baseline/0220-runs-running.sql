-- When the agent began a run or a restore; `started_at` is when it was asked to.
alter table snapshots add column running_at timestamptz;
alter table restores add column running_at timestamptz;
