-- Custom domains (module domains): each row a claim, from the wish for the domain to its removal.

create table domains (
  number bigint generated always as identity constraint domains_pkey primary key,
  userid text not null constraint domains_userid_fkey references accounts (userid),
  -- A-labels, lower case.
  name text not null constraint domains_name_check check (length(name) <= 190),
  is_apex boolean not null,
  method text not null constraint domains_method_check check (method in ('ns', 'cname')),
  status text not null constraint domains_status_check check (status in ('WAIT_TXT', 'WAIT_NS', 'WAIT_REQUEST_VC',
    'WAIT_SUBMIT_VP', 'WAIT_RULE_SET', 'BINDING', 'BIND', 'ALLOCATED')),
  -- Counts every write: what was decided from an older row is not written.
  revision integer not null default 1,
  txt_token text not null,
  proven_at timestamptz,
  rule_type text constraint domains_rule_type_check check (rule_type in ('fixed_email_suffix', 'specified_email_address')),
  rule_data text,
  full_string text,
  -- Of the zone as it is to be served.
  zone_version bigint,
  problem text,
  problem_since timestamptz,
  -- The checks of this step began; they become rarer from then on.
  checks_since timestamptz not null,
  -- Null: nothing is looked at by itself.
  next_check_at timestamptz,
  checked_at timestamptz,
  -- When a person asked for a check last.
  asked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  released_at timestamptz,
  constraint domains_proven_check check ((status = 'WAIT_TXT') = (proven_at is null)),
  constraint domains_problem_check check ((problem is null) = (problem_since is null))
);
-- A claim without proof excludes nobody; the first proof takes the name.
create unique index domains_proven_key on domains (name) where proven_at is not null and released_at is null;
create unique index domains_own_key on domains (userid, name) where released_at is null;
create index domains_name_idx on domains (name) where released_at is null;
create index domains_next_check_idx on domains (next_check_at) where released_at is null;

-- The last looks at DNS.
create table domain_checks (
  id bigint generated always as identity constraint domain_checks_pkey primary key,
  domain bigint not null constraint domain_checks_domain_fkey references domains on delete cascade,
  at timestamptz not null,
  status text not null,
  passed boolean not null,
  verdicts jsonb not null
);
create index domain_checks_domain_idx on domain_checks (domain, id desc);

-- Names that were given up with their domain: for 90 days only the same DID can take one again.
create table name_history (
  name text not null,
  did text not null constraint name_history_did_fkey references dids (did),
  released_at timestamptz not null
);
create index name_history_name_idx on name_history (name, released_at desc);
create index names_domain_idx on names (split_part(name, '@', 2));
