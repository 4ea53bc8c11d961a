-- A row is an account's claim to a domain.
create table domains (
  number bigint generated always as identity constraint domains_pkey primary key,
  userid text not null constraint domains_userid_fkey references accounts (account_id),
  -- A-labels, lower case.
  name text not null constraint domains_name_check check (length(name) <= 190),
  is_apex boolean not null,
  method text not null constraint domains_method_check check (method in ('ns', 'cname')),
  status text not null
    constraint domains_status_check check (status in ('WAIT_TXT', 'WAIT_NS', 'WAIT_REQUEST_VC', 'WAIT_SUBMIT_VP',
      'WAIT_RULE_SET', 'BINDING', 'BIND', 'ALLOCATED')),
  -- Incremented by every write. A decision that was based on an older revision is discarded.
  revision integer not null default 1,
  txt_token text not null,
  proven_at timestamptz,
  rule_type text
    constraint domains_rule_type_check check (rule_type in ('fixed_email_suffix', 'specified_email_address')),
  rule_data text,
  -- The signed credential, which names its holder.
  full_string text,
  -- Serial of the zone that is to be served.
  zone_version bigint,
  problem text,
  problem_since timestamptz,
  -- When the checks of this step began. They become less frequent over time.
  checks_since timestamptz not null,
  -- Null: no check is scheduled.
  next_check_at timestamptz,
  checked_at timestamptz,
  -- When a person last requested a check.
  asked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  released_at timestamptz,
  -- Until when the owner has to show the original record again, because another claim (`contest_by`, its number) has
  -- proven the domain; null if nobody contests it. See modules/domains/lifecycle/contest.ts.
  contest_until timestamptz,
  contest_by bigint,
  -- When this claim started a contest; null if it started none.
  contested_at timestamptz,
  -- Since when a proven claim that is not bound shows neither its record nor, at a delegated apex, this deployment's
  -- name servers: a proof lasts no longer than control of the name. Null: seen at the last lookup, or not looked up
  -- yet.
  unseen_since timestamptz,
  -- Public mail provider in the last rule that was refused; null once a rule was accepted. Wallets do not show the
  -- refusal of the call, so the domain's page does.
  rule_refused text,
  -- Whether the domain's owner has pointed `_acme-challenge` here by CNAME, according to the last DNS answer.
  challenge_alias boolean not null default false,
  constraint domains_contest_check check ((contest_until is null) = (contest_by is null)),
  constraint domains_contested_check check (contest_until is null or proven_at is not null),
  constraint domains_problem_check check ((problem is null) = (problem_since is null)),
  constraint domains_proven_check check ((status = 'WAIT_TXT') = (proven_at is null)),
  constraint domains_unseen_check check (unseen_since is null or proven_at is not null)
);
create index domains_contest_idx on domains (contest_by) where contest_by is not null;
create index domains_name_idx on domains (name) where released_at is null;
create index domains_next_check_idx on domains (next_check_at) where released_at is null;
create unique index domains_own_key on domains (userid, name) where released_at is null;
-- A claim without proof excludes nobody. The first proven claim takes the name.
create unique index domains_proven_key on domains (name) where proven_at is not null and released_at is null;

-- The latest DNS checks of each domain.
create table domain_checks (
  id bigint generated always as identity constraint domain_checks_pkey primary key,
  domain bigint not null constraint domain_checks_domain_fkey references domains (number) on delete cascade,
  at timestamptz not null,
  status text not null,
  passed boolean not null,
  verdicts jsonb not null
);
create index domain_checks_domain_idx on domain_checks (domain, id desc);

-- A row is a host name of a cluster under a customer's domain.
create table cluster_hosts (
  -- Lower case, A-labels, such as lena.cloud.lagoon.example.
  host text constraint cluster_hosts_pkey primary key,
  -- Number of its domain. The row is deleted with the domain.
  domain bigint not null,
  -- No foreign key: a cluster's row is locked before a domain's, and a key would lock it afterwards.
  cluster_id text not null,
  owner text not null constraint cluster_hosts_owner_fkey references accounts (account_id),
  created_at timestamptz not null default now(),
  constraint cluster_hosts_cluster_key unique (cluster_id, domain)
);
create index cluster_hosts_domain_idx on cluster_hosts (domain);
create index cluster_hosts_owner_idx on cluster_hosts (owner);

-- A row is an ID under a domain: held by a DID, or offered.
create table domain_members (
  id bigint generated always as identity constraint domain_members_pkey primary key,
  domain bigint not null constraint domain_members_domain_fkey references domains (number),
  -- The part before the @.
  name text not null,
  -- DID that holds the ID; null while the ID is only offered.
  did text constraint domain_members_did_fkey references dids (did),
  -- Address that the invitation was mailed to.
  email text,
  -- Hash of the one-time password, computed with the deployment's key.
  password_hash text,
  password_expires_at timestamptz,
  created_at timestamptz not null,
  joined_at timestamptz,
  constraint domain_members_name_key unique (domain, name),
  constraint domain_members_joined_check check ((did is null) = (joined_at is null)),
  constraint domain_members_password_check check (did is null or password_hash is null)
);
create index domain_members_did_idx on domain_members (did);

-- Invitations that were mailed recently. They are counted because the number that an account sends, and that a mailbox
-- receives, is limited.
create table invitation_mails (
  sender text not null,
  mailbox text not null,
  at timestamptz not null
);
create index invitation_mails_mailbox_idx on invitation_mails (mailbox, at);
create index invitation_mails_sender_idx on invitation_mails (sender, at);

-- A row is the offer of a domain to one of its members.
create table domain_transfers (
  id text constraint domain_transfers_pkey primary key,
  domain bigint not null constraint domain_transfers_domain_fkey references domains (number) on delete cascade,
  from_userid text not null constraint domain_transfers_from_userid_fkey references accounts (account_id),
  to_did text not null constraint domain_transfers_to_fkey references dids (did),
  -- The part before the @.
  to_name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Signature of the previous owner, kept as the reason why the domain changed hands.
  signed_jws text,
  signed_at timestamptz,
  ended_at timestamptz,
  ended_by text
    constraint domain_transfers_ended_by_check check (ended_by in ('accepted', 'withdrawn', 'declined', 'lapsed',
      'removed')),
  constraint domain_transfers_ended_check check ((ended_at is null) = (ended_by is null)),
  constraint domain_transfers_signed_check check ((signed_at is null) = (signed_jws is null))
);
create unique index domain_transfers_open_key on domain_transfers (domain) where ended_at is null;
create index domain_transfers_to_idx on domain_transfers (to_did) where ended_at is null;
