-- A drill may be carried out on a cluster that is made for it alone, instead of the machine that was backed up.

alter table backup_chores
  -- The cluster; null: the drill is on the machine itself. Its task follows once that machine has the password.
  add column drill_cluster_id text constraint backup_chores_drill_cluster_id_fkey references clusters (id),
  -- What asks the backed-up machine to seal the password for the other one.
  add column reseal_task_id text,
  -- There may be no task yet that could be canceled.
  add column cancel_asked boolean not null default false,
  add constraint backup_chores_drill_cluster_check check (drill_cluster_id is null or kind = 'drill');
create index backup_chores_reseal_task_id_idx on backup_chores (reseal_task_id) where reseal_task_id is not null;
create index backup_chores_drill_cluster_id_idx on backup_chores (drill_cluster_id) where drill_cluster_id is not null;

-- Of level `drilled`: another machine than the one that was backed up said the root.
alter table proofs add column elsewhere boolean not null default false;
