-- One row per DID that signed in; userid is the DID. Limits are copied from the configuration when the row is made, so
-- that an operator can change one account without changing all.
create table accounts (
  userid text constraint accounts_pkey primary key,
  avatar text,
  email text,
  can_create_cluster boolean not null,
  vcpu_quota integer not null constraint accounts_vcpu_quota_check check (vcpu_quota >= 0),
  plan_level smallint not null default 0 constraint accounts_plan_level_check check (plan_level between 0 and 3),
  access_limit boolean not null default false,
  created_at timestamptz not null,
  constraint accounts_userid_check check (userid like 'did:key:z6Mk%' and length(userid) <= 60)
);

-- Signed-in browsers. The token itself is known to the browser only; token_hash is its SHA-256 in hex.
create table sessions (
  id text constraint sessions_pkey primary key,
  userid text not null constraint sessions_userid_fkey references accounts (userid) on delete cascade,
  token_hash text not null constraint sessions_token_hash_key unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_userid_idx on sessions (userid);
create index sessions_expires_at_idx on sessions (expires_at);

-- Approved sign-in codes, by the SHA-256 of their secret. The primary key makes a code single use: the second approval
-- meets it. taken_at is set when the session was handed out. A row outlives every signature that could repeat it.
create table sign_in_codes (
  secret_hash text constraint sign_in_codes_pkey primary key,
  userid text not null constraint sign_in_codes_userid_fkey references accounts (userid) on delete cascade,
  approved_at timestamptz not null,
  taken_at timestamptz
);
create index sign_in_codes_approved_at_idx on sign_in_codes (approved_at);
