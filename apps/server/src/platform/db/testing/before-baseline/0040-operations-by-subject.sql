-- An operation belongs to a subject of any kind: a cluster, an instance, and what other modules own. The cluster is where
-- it is shown; what belongs to none has none.
drop index operations_running_key;
alter table operations add column subject_kind text, add column subject_id text;
update operations set
  subject_kind = case when instance_id is null then 'cluster' else 'instance' end,
  subject_id = coalesce(instance_id, cluster_id);
alter table operations
  alter column subject_kind set not null,
  alter column subject_id set not null,
  alter column cluster_id drop not null,
  drop constraint operations_kind_check,
  drop column instance_id;
create unique index operations_running_key on operations (subject_kind, subject_id) where state = 'running';
