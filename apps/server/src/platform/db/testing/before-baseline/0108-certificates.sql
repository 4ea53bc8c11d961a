-- Certificates of customers' domains and how they are got from a certification authority (module certificates).

-- Our account at each authority, by the address of its directory.
create table acme_accounts (
  directory text constraint acme_accounts_pkey primary key,
  -- The private key, sealed.
  sealed_key text not null,
  -- Where the authority keeps it; null until it was registered.
  url text,
  created_at timestamptz not null
);

create table certificates (
  id text constraint certificates_pkey primary key,
  -- The number of the domain (no foreign key: see cluster_hosts) and its name.
  domain bigint not null,
  domain_name text not null,
  -- What it is for, such as {cloud.lagoon.example,*.cloud.lagoon.example}; the first one names it.
  names text[] not null constraint certificates_names_check check (cardinality(names) between 1 and 10),
  challenge text not null constraint certificates_challenge_check check (challenge in ('dns-01', 'http-01')),
  -- Asked for by a visit of this cluster.
  visited_cluster text,
  -- False: not renewed any more, gone when it ends.
  wanted boolean not null default true,
  -- Counts every write: what was decided from an older row is not written.
  revision integer not null default 1,
  -- What is served; null until the first was issued. The key is sealed.
  chain text,
  sealed_key text,
  not_before timestamptz,
  not_after timestamptz,
  -- Why there is no newer one.
  problem text,
  -- What the authority said.
  problem_detail text,
  problem_since timestamptz,
  -- In a row.
  failures integer not null default 0,
  next_try_at timestamptz not null,
  created_at timestamptz not null,
  constraint certificates_names_key unique (names),
  constraint certificates_chain_check check ((chain is null) = (sealed_key is null) and (chain is null) = (not_after is null)),
  constraint certificates_problem_check check ((problem is null) = (problem_since is null))
);
create index certificates_domain_idx on certificates (domain);
create index certificates_names_idx on certificates using gin (names);
create index certificates_next_try_idx on certificates (next_try_at);

create table acme_orders (
  id text constraint acme_orders_pkey primary key,
  certificate text not null constraint acme_orders_certificate_fkey references certificates on delete cascade,
  -- For the limits of authorities: the part of the name that somebody registered.
  registrable text not null,
  url text not null,
  -- Of the certificate that is ordered, sealed.
  sealed_key text not null,
  -- Of the zone that has the challenges, as name servers must answer it.
  zone_version bigint,
  state text not null constraint acme_orders_state_check check (state in ('open', 'issued', 'failed')),
  problem text,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint acme_orders_ended_check check ((state = 'open') = (ended_at is null))
);
create unique index acme_orders_open_key on acme_orders (certificate) where state = 'open';
create index acme_orders_certificate_idx on acme_orders (certificate, created_at);
create index acme_orders_registrable_idx on acme_orders (registrable, created_at);

create table acme_challenges (
  acme_order text not null constraint acme_challenges_order_fkey references acme_orders on delete cascade,
  -- The host that is to be proven, without "*.".
  host text not null,
  kind text not null constraint acme_challenges_kind_check check (kind in ('dns-01', 'http-01')),
  token text not null,
  -- Of DNS the text to be found, of HTTP the body.
  answer text not null,
  domain_name text not null,
  constraint acme_challenges_pkey primary key (acme_order, token)
);
create index acme_challenges_token_idx on acme_challenges (token) where kind = 'http-01';
create index acme_challenges_domain_idx on acme_challenges (domain_name) where kind = 'dns-01';
