-- A plan moves to the cluster that was made of its backup, and the guard of restores counts only such clusters.

alter table backups
  -- Clusters that it belonged to before.
  add column former_clusters text[] not null default '{}',
  -- A cluster that was made of it is activated while its own is still there: its owner is asked where it belongs.
  add column move_to text constraint backups_move_to_fkey references clusters (id);

alter table restores
  -- Of way `newCluster`: when it was noticed that the cluster is activated.
  add column activated_at timestamptz;
create index restores_target_cluster_id_idx on restores (target_cluster_id) where target_cluster_id is not null;
