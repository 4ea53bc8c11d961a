-- A row is an instance that may have an agent, from the issue of its enrollment token until the instance is forgotten.
-- There is no owner column: rows are reached only through their instance, which has an owner (module clusters). There
-- is no foreign key either, so that the two modules can forget an instance in any order.
-- Writers: module clusters through this module's interface (issue, install request, forget), and the api process that
-- holds the agent's connection (everything that the agent reports).
create table agents (
  instance_id text constraint agents_pkey primary key,
  cluster_id text not null,
  -- SHA-256 of the enrollment token, hex. The token itself is not stored.
  enroll_token_hash text not null constraint agents_enroll_token_hash_key unique,
  enroll_expires_at timestamptz not null,
  -- SHA-256 of the agent's own token, hex; null until it is enrolled. The token itself is not stored.
  token_hash text,
  enrolled_at timestamptz,
  last_seen_at timestamptz,
  -- The columns from here to `one_time_password` hold the state that the agent last reported.
  agent_version text,
  boot_id text,
  port integer constraint agents_port_check check (port between 1 and 65535),
  install jsonb not null,
  os_active boolean not null default false,
  -- Sealed.
  one_time_password text,
  -- The requested install. It is offered to the agent until an install that the agent reports names it.
  task_id text,
  task_version text,
  task_steps jsonb,
  -- The operator's own script for the requested version (catalog.yaml). The agent runs it in the step named `script`.
  task_script text,
  -- The host and its network as reported. Null for an instance that is a share of a host.
  machine jsonb,
  network jsonb,
  -- Whether the agent wipes its files when it leaves.
  leave_wipe boolean not null default false,
  -- The agent's means for backups: {restic: version or null, key: public key that passwords are sealed for, mayReseal}.
  -- Null if the agent makes no backups.
  backups jsonb,
  -- Workloads on the instance, as last reported: [{name, title, state, ready, wanted, reason, since}]. Null if the
  -- agent does not support this or has not reported yet.
  workloads jsonb,
  -- Since when the agent's token is refused; null if it is accepted.
  refused_at timestamptz,
  -- Host names below its own that the cluster registers. Null if the agent does not report them; no certificate is
  -- ordered for such names then.
  hosts jsonb,
  -- Boots of the agent that serve, that served earlier, or that are refused because they come from a copied disk: JSON
  -- of Boots (agents/boots). Null: none was recorded.
  boots jsonb,
  -- The agent's own program, as reported: whether it can verify a newer version, and which version it can go back to.
  -- Null if it cannot update itself.
  program jsonb,
  constraint agents_task_check check ((task_id is null) = (task_version is null) and (task_id is null) = (task_steps
    is null))
);

-- Tokens of commands that add another host to a cluster. The instance is created when a host uses the token; the
-- token's hash then moves to the row in `agents`. A row is removed when its token is used or long expired.
create table worker_enrollments (
  enroll_token_hash text constraint worker_enrollments_pkey primary key,
  cluster_id text not null,
  expires_at timestamptz not null
);
create index worker_enrollments_cluster_id_idx on worker_enrollments (cluster_id);

-- Agents that were offline when their owner gave them up. They are told to leave when they come back. A row is removed
-- after 30 days.
create table pending_decommissions (
  instance_id text constraint pending_decommissions_pkey primary key,
  token_hash text not null,
  wipe boolean not null,
  created_at timestamptz not null
);

-- A row is a task that an agent is asked to do once; it ends exactly once. Writers: the module that requests it
-- (insert, cancel), and the api process that holds the agent's connection (everything else).
create table agent_tasks (
  id text constraint agent_tasks_pkey primary key,
  instance_id text not null
    constraint agent_tasks_instance_id_fkey references agents (instance_id) on delete cascade,
  kind text not null,
  -- An agent is given a limited number of open tasks per lane, the oldest first.
  lane text not null,
  -- Parameters that are secret are sealed.
  params jsonb not null,
  -- waiting: not sent to the agent yet; offered: sent to the agent; running: a report of the agent named it.
  state text not null default 'waiting'
    constraint agent_tasks_state_check check (state in ('waiting', 'offered', 'running', 'done', 'failed',
      'canceled')),
  cancel_asked_at timestamptz,
  -- Last progress that the agent reported.
  progress jsonb,
  -- Result that the agent reported. Only for tasks that are done.
  result jsonb,
  -- Why it failed, in the agent's words. Only for tasks that failed.
  reason text,
  asked_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint agent_tasks_ended_check check ((ended_at is null) = (state in ('waiting', 'offered', 'running')))
);
create index agent_tasks_ended_at_idx on agent_tasks (ended_at) where ended_at is not null;
create index agent_tasks_instance_id_idx on agent_tasks (instance_id);
create index agent_tasks_open_idx on agent_tasks (instance_id, lane, asked_at) where ended_at is null;

-- Tokens of commands that replace the host of a cluster, the newest one of each cluster. A row is removed when its
-- token is used or long expired.
create table replacement_enrollments (
  enroll_token_hash text constraint replacement_enrollments_pkey primary key,
  cluster_id text not null constraint replacement_enrollments_cluster_id_key unique,
  expires_at timestamptz not null,
  -- Backup that the new host's files come from: JSON of RestoreSource (contract). Null: the host starts empty.
  restore jsonb
);

-- Agents of hosts that were replaced. If one comes back, it is told why it is refused. A row is removed after a year.
create table replaced_agents (
  instance_id text constraint replaced_agents_pkey primary key,
  -- SHA-256 of the agent's token, hex.
  token_hash text not null,
  replaced_at timestamptz not null
);
create index replaced_agents_replaced_at_idx on replaced_agents (replaced_at);
