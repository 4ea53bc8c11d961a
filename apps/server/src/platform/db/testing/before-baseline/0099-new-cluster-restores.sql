-- A cluster may be made for a snapshot, which becomes its drive (modules backups and clusters).

alter table restores drop constraint restores_way_check;
alter table restores add constraint restores_way_check
  check (way in ('newFolder', 'replace', 'newCluster', 'drill'));
-- The cluster that is made for it. Such restores may run beside others of their backup, one for each cluster.
alter table restores add column target_cluster_id text
  constraint restores_target_cluster_id_fkey references clusters (id);
alter table restores add constraint restores_target_check
  check ((target_cluster_id is not null) = (way = 'newCluster'));
drop index restores_open_idx;
create unique index restores_open_idx on restores (backup_id) where ended_at is null and way <> 'newCluster';
create unique index restores_target_idx on restores (target_cluster_id) where ended_at is null;

-- The restore that an instance is made for; null: it is made empty.
alter table instances add column restore_id text constraint instances_restore_id_fkey references restores (id);
