-- What is asked of agents once, each a row with one end, instead of columns for each request and each answer.
-- Written by: whoever asks (insert, cancel), the api process that holds the agent's connection (everything else).
create table agent_tasks (
  id text constraint agent_tasks_pkey primary key,
  instance_id text not null constraint agent_tasks_instance_id_fkey references agents on delete cascade,
  kind text not null,
  lane text not null,
  params jsonb not null,
  -- waiting: said to nobody yet; offered: said to the agent; running: a report named it.
  state text not null default 'waiting'
    constraint agent_tasks_state_check check (state in ('waiting', 'offered', 'running', 'done', 'failed', 'canceled')),
  cancel_asked_at timestamptz,
  -- What the agent said last while it ran.
  progress jsonb,
  -- Of done; of failed the agent's words.
  result jsonb,
  reason text,
  asked_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint agent_tasks_ended_check check ((ended_at is null) = (state in ('waiting', 'offered', 'running')))
);
create index agent_tasks_open_idx on agent_tasks (instance_id, lane, asked_at) where ended_at is null;
create index agent_tasks_instance_id_idx on agent_tasks (instance_id);
create index agent_tasks_ended_at_idx on agent_tasks (ended_at) where ended_at is not null;

insert into agent_tasks (id, instance_id, kind, lane, params, state, result, ended_at)
select drain_task, instance_id, 'drain', 'control', '{"withinMs": 50000}',
  case when drained_task = drain_task then 'done' else 'offered' end,
  case when drained_task = drain_task then '{}'::jsonb end,
  case when drained_task = drain_task then clock_timestamp() end
from agents where drain_task is not null
on conflict do nothing;
insert into agent_tasks (id, instance_id, kind, lane, params, state)
select rotate_task, instance_id, 'rotate', 'control', '{}', 'offered'
from agents where rotate_task is distinct from rotated_task and rotate_task is not null
on conflict do nothing;
insert into agent_tasks (id, instance_id, kind, lane, params, state)
select 'restart-' || instance_id, instance_id, 'restart', 'control', jsonb_build_object('bootId', restart_boot), 'offered'
from agents where restart_boot = boot_id;
insert into agent_tasks (id, instance_id, kind, lane, params, state, result, asked_at, ended_at)
select 'leave-' || instance_id, instance_id, 'leave', 'control', jsonb_build_object('wipe', leave_wipe),
  case when left_at is null then 'offered' else 'done' end,
  case when left_at is not null then '{}'::jsonb end,
  leaving_at, left_at
from agents where leaving_at is not null;

alter table agents
  drop column drain_task,
  drop column drained_task,
  drop column rotate_task,
  drop column rotated_task,
  drop column restart_boot,
  drop column leaving_at,
  drop column left_at;

alter table agent_farewells rename to pending_decommissions;
alter table pending_decommissions rename constraint agent_farewells_pkey to pending_decommissions_pkey;
alter table worker_enrolments rename to worker_enrollments;
alter table worker_enrollments rename constraint worker_enrolments_pkey to worker_enrollments_pkey;
alter index worker_enrolments_cluster_id_idx rename to worker_enrollments_cluster_id_idx;
