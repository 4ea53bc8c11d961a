-- The agent is asked for a new one-time password (rotate_task) until its report names that task (rotated_task).
alter table agents
  add column rotate_task text,
  add column rotated_task text;
