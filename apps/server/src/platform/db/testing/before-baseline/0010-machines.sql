-- What happens to a machine is kept with the machine, masters and workers alike: clusters.status and clusters.changed_at
-- repeat the master's, so that lists and indexes need no join. Who writes a machine's status holds its cluster's row lock.
alter table instances
  add column ordinal integer not null default 0,
  add column trail text[] not null default '{}',
  -- What was asked of this machine alone; what was asked of its cluster goes before it.
  add column desired text not null default 'running'
    constraint instances_desired_check check (desired in ('running', 'stopped', 'destroyed')),
  -- Counts changes of the status: a reconciler that read an older one writes nothing.
  add column revision integer not null default 0,
  -- Provider calls since the status last changed that failed or led nowhere, and why the last one did (contract, Reason).
  add column failed_calls integer not null default 0,
  add column last_failure text,
  -- Why the last operation failed (contract, Reason); null while none did.
  add column error text,
  add column changed_at timestamptz,
  -- Since when it runs without a break; null while it does not.
  add column started_at timestamptz,
  -- The provider does not have it, though it should exist.
  add column missing boolean not null default false,
  -- Its agent was asked to finish what it has begun, and is waited for until then.
  add column drain_task text,
  add column drain_until timestamptz;

update instances set
  trail = clusters.trail,
  desired = clusters.desired,
  revision = clusters.revision,
  failed_calls = clusters.failed_calls,
  last_failure = json_build_object('key', 'providerSaid', 'params', json_build_object('said', clusters.last_failure))::text,
  error = json_build_object('key', 'said', 'params', json_build_object('said', clusters.error))::text,
  changed_at = clusters.changed_at,
  started_at = case when clusters.status = 'running' then clusters.changed_at end
from clusters where clusters.id = instances.cluster_id;
update instances set
  last_failure = case when clusters.last_failure is not null then instances.last_failure end,
  error = case when clusters.error is not null then instances.error end
from clusters where clusters.id = instances.cluster_id;
alter table instances alter column changed_at set not null;
create unique index instances_ordinal_key on instances (cluster_id, ordinal) where status not in ('destroyed', 'canceled');
create index instances_owner_idx on instances (owner, created_at) where status not in ('destroyed', 'canceled');

alter table clusters
  drop column trail,
  drop column revision,
  drop column failed_calls,
  drop column last_failure,
  drop column error;

-- An operation is about the whole cluster (instance_id null; its master carries it) or about one worker.
alter table operations
  add column instance_id text constraint operations_instance_id_fkey references instances (id),
  -- [{step, state, startedAt, endedAt, detail: Reason|null}] in order.
  add column steps jsonb not null default '[]',
  -- Userid; null: the system by itself.
  add column asked_by text,
  drop constraint operations_kind_check,
  add constraint operations_kind_check check (kind in ('create', 'start', 'stop', 'restart', 'destroy', 'retry', 'addWorker',
    'destroyWorker', 'repair', 'cancel', 'recover')),
  drop constraint operations_state_check,
  add constraint operations_state_check check (state in ('running', 'done', 'failed', 'canceled'));
update operations set error = json_build_object('key', 'said', 'params', json_build_object('said', error))::text
where error is not null;
update operations set asked_by = owner;
drop index operations_running_key;
create unique index operations_running_key on operations (cluster_id, coalesce(instance_id, '')) where state = 'running';

-- A repair gives a machine up and makes another in its place; the old row stays for the history.
alter table instances add column replaced_at timestamptz;
drop index instances_master_key;
create unique index instances_master_key on instances (cluster_id) where role = 'master' and replaced_at is null;
