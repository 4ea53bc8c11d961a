-- Hosts of clusters under customers' domains (module domains): each stands for itself and for what is one label below
-- it. The address under the edge's own domain is not among them: it is the label of the cluster.

create table cluster_hosts (
  -- Lower case, A-labels, such as lena.cloud.lagoon.example.
  host text constraint cluster_hosts_pkey primary key,
  -- Its domain; gone with it.
  domain bigint not null,
  -- No foreign key: the row of a cluster is locked before that of a domain, and a key would lock it after.
  cluster_id text not null,
  owner text not null,
  created_at timestamptz not null default now(),
  constraint cluster_hosts_cluster_key unique (cluster_id, domain)
);
create index cluster_hosts_domain_idx on cluster_hosts (domain);
create index cluster_hosts_owner_idx on cluster_hosts (owner);
