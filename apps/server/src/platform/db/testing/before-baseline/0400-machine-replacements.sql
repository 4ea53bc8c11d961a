-- Commands that bring a machine in the place of a cluster's own: the newest of each cluster. Removed when spent or long
-- expired.
create table replacement_enrollments (
  enroll_token_hash text constraint replacement_enrollments_pkey primary key,
  cluster_id text not null constraint replacement_enrollments_cluster_id_key unique,
  expires_at timestamptz not null,
  -- JSON of RestoreSource (contract), the backup that the new machine's files come from; null: it begins empty.
  restore jsonb
);

-- Agents of machines that were replaced: should one come back, it is told why it is refused. Removed after a year.
create table replaced_agents (
  instance_id text constraint replaced_agents_pkey primary key,
  -- SHA-256 of the agent's token, hex.
  token_hash text not null,
  replaced_at timestamptz not null
);
create index replaced_agents_replaced_at_idx on replaced_agents (replaced_at);
