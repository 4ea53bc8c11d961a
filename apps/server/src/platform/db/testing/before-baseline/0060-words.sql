-- By the terms that everybody uses. resume_stack: statuses that were interrupted, the latest last; what the instance
-- returns to. previous_boot_id: the agent's boot before the start that was asked for last; another one is its outcome.
alter table instances rename column trail to resume_stack;
alter table instances rename column boot_before to previous_boot_id;
