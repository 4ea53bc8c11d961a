-- Drills: a snapshot is restored elsewhere, and what came back is compared with what was backed up.

alter table snapshots
  -- Root of the tree as it was backed up, keyed with the repository's own id; how many files; what is not in it.
  add column tree_root text,
  add column tree_files bigint,
  add column tree_apart jsonb not null default '[]';

alter table backup_chores drop constraint backup_chores_kind_check;
alter table backup_chores
  add constraint backup_chores_kind_check check (kind in ('forget', 'prune', 'check', 'drill'));

-- When something is due that no slot and no person brings: reading back, a drill.
alter table backups add column look_at timestamptz;
create index backups_look_at_idx on backups (look_at) where look_at is not null;
