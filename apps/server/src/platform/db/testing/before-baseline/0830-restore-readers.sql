-- oldest program: 0.1.0
-- The cluster of the same account that reads a snapshot into a new folder of its own, while the one that was backed up
-- is away.
alter table restores add column reader_cluster_id text
  constraint restores_reader_cluster_id_fkey references clusters (id);
