-- The agent is asked to finish what it has begun (drain_task) until its report names that task (drained_task).
alter table agents
  add column drain_task text,
  add column drained_task text;
