-- This deployment's account at each certification authority, by the URL of the authority's directory.
create table acme_accounts (
  directory text constraint acme_accounts_pkey primary key,
  -- The private key, sealed.
  sealed_key text not null,
  -- URL of the account at the authority; null until it is registered.
  url text,
  created_at timestamptz not null
);

-- A row is a certificate for names of a customer's domain, requested or issued.
create table certificates (
  id text constraint certificates_pkey primary key,
  -- Number of the domain. There is no foreign key: see cluster_hosts.
  domain bigint not null,
  domain_name text not null,
  -- Names that the certificate covers, such as {cloud.lagoon.example,*.cloud.lagoon.example}. The first one identifies
  -- it.
  names text[] not null
    constraint certificates_names_key unique
    constraint certificates_names_check check (cardinality(names) between 1 and 10),
  challenge text not null constraint certificates_challenge_check check (challenge in ('dns-01', 'http-01')),
  -- Cluster that was visited when the certificate was requested; null if no visit requested it.
  visited_cluster text,
  -- False: no longer renewed, and deleted when it expires.
  wanted boolean not null default true,
  -- Incremented by every write. A decision that was based on an older revision is discarded.
  revision integer not null default 1,
  -- The chain that is served and its private key, sealed; null until the first certificate is issued.
  chain text,
  sealed_key text,
  not_before timestamptz,
  not_after timestamptz,
  -- Why there is no newer certificate; null if there is no problem.
  problem text,
  -- The authority's own message.
  problem_detail text,
  problem_since timestamptz,
  -- Consecutive failures.
  failures integer not null default 0,
  next_try_at timestamptz not null,
  created_at timestamptz not null,
  -- Party that is at fault for the problem; null: nobody, or there is no problem.
  problem_fault text
    constraint certificates_fault_check check (problem_fault in ('owner', 'nameServer', 'authority')),
  -- When the domain's owner was notified by mail that issuing has failed for three days. Null: not since a certificate
  -- was issued.
  failing_mailed_at timestamptz,
  -- When the domain's owner was notified by mail that a sixth of the lifetime is left. Null: not since a certificate
  -- was issued.
  ending_mailed_at timestamptz,
  -- When a name that a visit requested was last visited, to the day. A certificate that is not visited for 30 days is
  -- not renewed.
  visited_at timestamptz,
  -- When the certificate is to be renewed, within the time that the authority suggests (RFC 9773). Null: when a third
  -- of its lifetime is left.
  renew_at timestamptz,
  constraint certificates_chain_check check ((chain is null) = (sealed_key is null) and (chain is null) = (not_after
    is null)),
  constraint certificates_problem_check check ((problem is null) = (problem_since is null))
);
create index certificates_domain_idx on certificates (domain);
create index certificates_names_idx on certificates using gin (names);
create index certificates_next_try_idx on certificates (next_try_at);

-- A row is an order at an authority. An order outlives its certificate, because authorities count what they issued for
-- a domain even if it was removed since.
create table acme_orders (
  id text constraint acme_orders_pkey primary key,
  -- No foreign key: the certificate may be deleted.
  certificate text not null,
  -- The registered domain that the names belong to, for the limits of authorities.
  registrable text not null,
  url text not null,
  -- Private key of the ordered certificate, sealed; empty once the certificate's row is deleted.
  sealed_key text not null,
  -- Serial of the zone with the challenges, which the name servers must serve.
  zone_version bigint,
  state text not null constraint acme_orders_state_check check (state in ('open', 'issued', 'failed')),
  problem text,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- Names of the order. Authorities count failures by name, and a domain that is removed and added again has another
  -- certificate for the same names.
  names text[] not null default '{}',
  -- Whether the names had a certificate already. Authorities limit the new certificates under a registered domain, and
  -- do not count renewals. With some hundred members, renewals alone would otherwise use up the limit of a week.
  is_renewal boolean not null default false,
  -- Account whose clusters the certificate is for. Each account has a share of what authorities issue under a
  -- registered domain in a week. Null if it was not recorded.
  account text,
  constraint acme_orders_ended_check check ((state = 'open') = (ended_at is null))
);
create index acme_orders_certificate_idx on acme_orders (certificate, created_at);
create index acme_orders_failed_idx on acme_orders (ended_at) where state = 'failed';
create unique index acme_orders_open_key on acme_orders (certificate) where state = 'open';
create index acme_orders_registrable_idx on acme_orders (registrable, created_at);

create table acme_challenges (
  acme_order text constraint acme_challenges_order_fkey references acme_orders (id) on delete cascade,
  -- Host to be verified, without "*.".
  host text not null,
  kind text not null constraint acme_challenges_kind_check check (kind in ('dns-01', 'http-01')),
  token text,
  -- For DNS, the text of the record; for HTTP, the body of the response.
  answer text not null,
  domain_name text not null,
  constraint acme_challenges_pkey primary key (acme_order, token)
);
create index acme_challenges_domain_idx on acme_challenges (domain_name) where kind = 'dns-01';
create index acme_challenges_token_idx on acme_challenges (token) where kind = 'http-01';
