-- A row is an account, created when its DID signs in for the first time. `can_create_cluster` is copied from the
-- configuration at that time, so that an operator can change it for one account.
create table accounts (
  -- DID that signs in to the account; `customer-…` once the account is erased.
  did text not null
    constraint accounts_did_key unique
    constraint accounts_did_check check ((did like 'did:key:z6Mk%' or did ~ '^customer-[0-9a-f]{12}$') and
      length(did) <= 60),
  -- SHA-256 of the picture in `avatars`, hex; null if the account has none.
  avatar text constraint accounts_avatar_check check (avatar ~ '^[0-9a-f]{64}$'),
  -- Address that mail is sent to; null if none is bound.
  email text,
  can_create_cluster boolean not null,
  -- vCPU granted by the operator. The account may use this or what its plan includes, whichever is more. Null: only the
  -- plan counts.
  vcpu_quota integer constraint accounts_vcpu_quota_check check (vcpu_quota >= 0),
  -- 0 (Free) to 3 (Pro).
  plan_level smallint not null default 0 constraint accounts_plan_level_check check (plan_level between 0 and 3),
  created_at timestamptz not null,
  -- An Admin can view and act on the clusters of every account. Only the operator grants this role (npm run admin).
  role text not null default 'User' constraint accounts_role_check check (role in ('Admin', 'User')),
  -- Language in which the account was last used. Its mails are written in this language.
  locale text not null default 'en-US' constraint accounts_locale_check check (locale in ('en-US', 'zh-CN')),
  -- Currency in which the account pays, and time zone of its billing months. Both are null until the first sign-in and
  -- never change afterwards.
  currency text constraint accounts_currency_check check (currency in ('usd', 'cny')),
  zone text constraint accounts_zone_check check (zone in ('UTC', 'UTC+8')),
  -- How far the account's clock is ahead of the wall clock, ms. It only moves forward, and only where time travel is
  -- allowed. Billing times are on the account's clock; clusters, sessions and everything else use the wall clock.
  clock_offset_ms bigint not null default 0 constraint accounts_clock_offset_ms_check check (clock_offset_ms >= 0),
  -- vCPU that the plan included when it was sold, whatever the catalogue says later. Null: as the catalogue says.
  plan_vcpu integer constraint accounts_plan_vcpu_check check (plan_vcpu >= 0),
  -- IANA name of the time zone in which the account reads deadlines. Null until its console sends one.
  time_zone text constraint accounts_time_zone_check check (length(time_zone) between 1 and 64),
  -- Id of the account (`ac_…`) in rows, logs and files. It is random, so that it reveals nothing about the owner after
  -- the DID is erased.
  account_id text default ('ac_' || replace(gen_random_uuid()::text, '-', '')) constraint accounts_pkey primary key,
  -- Kinds of optional mail that the account has turned off.
  mails_off text[] not null default '{}'
    constraint accounts_mails_off_known check (mails_off <@ array['alerts', 'usage', 'reminders']),
  constraint accounts_market_check check ((currency is null) = (zone is null))
);
create index accounts_admin_idx on accounts (account_id) where role = 'Admin';

-- A row is a signed-in browser or other client. Only the client knows the token.
create table sessions (
  id text constraint sessions_pkey primary key,
  userid text not null constraint sessions_userid_fkey references accounts (account_id) on delete cascade,
  -- SHA-256 of the token, hex.
  token_hash text not null constraint sessions_token_hash_key unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Reported by the client about itself, as names; the full user agent is never stored.
  device_kind text not null default 'program'
    constraint sessions_device_kind_check check (device_kind in ('computer', 'phone', 'tablet', 'program')),
  browser text,
  system text,
  -- Address from which the session was last used.
  ip text,
  -- Updated at most once a minute.
  last_seen_at timestamptz not null
);
create index sessions_expires_at_idx on sessions (expires_at);
create index sessions_userid_idx on sessions (userid);

-- A row is a sign-in code. It is created when the console is about to show the code or, for other clients, when a
-- wallet approves it. It is kept longer than any signature that could be replayed. States and writers:
-- modules/accounts/sign-in-service.ts.
create table sign_in_codes (
  -- SHA-256 of the code's secret, hex. The primary key makes a code single-use: a second approval finds the row.
  secret_hash text constraint sign_in_codes_pkey primary key,
  -- Account that approved the code; null until then.
  userid text constraint sign_in_codes_userid_fkey references accounts (account_id) on delete cascade,
  approved_at timestamptz,
  -- When the session was handed out.
  taken_at timestamptz,
  -- SHA-256, hex, of the key that the showing browser keeps. Null if the code is shown by a client without a key.
  browser_hash text,
  -- SHA-256, hex, of the cookie that the browser was given; null if it was given none.
  cookie_hash text,
  -- Number shown beside the code, which the wallet's owner types in. Null if the code was not opened by the console.
  match_number text,
  -- When a wallet scanned the code. Null if none did, or if a wallet has failed to approve it since.
  scanned_at timestamptz,
  -- Why a wallet last failed to approve the code, for the screen that shows it.
  refused text constraint sign_in_codes_refused_check check (refused in ('otherDid', 'declined', 'wrongNumber')),
  -- When a wrong number was sent. Nobody can approve the code after that.
  burnt_at timestamptz,
  changed_at timestamptz not null,
  -- The only DID that may sign in with the code, as requested by the page that opened it. Null: any DID.
  asked_did text,
  constraint sign_in_codes_approved_check check ((userid is null) = (approved_at is null)),
  constraint sign_in_codes_burnt_check check (burnt_at is null or approved_at is null),
  constraint sign_in_codes_taken_check check (taken_at is null or approved_at is not null)
);
create index sign_in_codes_changed_at_idx on sign_in_codes (changed_at);

-- A row is a code that was mailed to an address to be bound. Only the newest code of an account can be used; older ones
-- are kept for an hour, to count them.
create table email_codes (
  id text constraint email_codes_pkey primary key,
  userid text not null constraint email_codes_userid_fkey references accounts (account_id) on delete cascade,
  email text not null,
  -- Computed with the deployment's key, because a plain hash of six digits can be guessed at once.
  code_hash text not null,
  mail_id text not null,
  tries_left integer not null constraint email_codes_tries_left_check check (tries_left >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the code was used, or discarded at the owner's request.
  ended_at timestamptz,
  -- Mailbox that the code was mailed to, for counting: moa+1@ and moa+2@ are the same mailbox.
  mailbox text not null
);
create index email_codes_created_at_idx on email_codes (created_at);
create index email_codes_mailbox_idx on email_codes (mailbox, created_at);
create index email_codes_userid_idx on email_codes (userid, created_at);

-- Pictures of accounts as they are served: encoded by the server, about 10 kB each. They are in the database because
-- every api process serves them.
create table avatars (
  -- SHA-256 of the image, hex. `accounts.avatar` refers to it.
  hash text not null,
  image bytea not null constraint avatars_image_check check (length(image) <= 200000),
  created_at timestamptz not null,
  account_id text
    constraint avatars_pkey primary key
    constraint avatars_account_id_fkey references accounts (account_id) on delete cascade
);
create index avatars_hash_idx on avatars (hash);

-- A row is a period in which an account has a staff role, and so runs the deployment for others. It refers to the
-- account by id, so that the member's actions stay attributable after the DID is erased.
create table staff (
  number bigint generated always as identity constraint staff_pkey primary key,
  account_id text not null constraint staff_account_id_fkey references accounts (account_id),
  role text not null constraint staff_role_check check (role in ('support', 'operator')),
  -- Null: the operator's command.
  granted_by text constraint staff_granted_by_fkey references accounts (account_id),
  granted_at timestamptz not null,
  ended_by text constraint staff_ended_by_fkey references accounts (account_id),
  ended_at timestamptz
);
create unique index staff_living_key on staff (account_id) where ended_at is null;

-- When each account was last in use. This is a separate table because orders lock the row in `accounts`, and recording
-- a visit must not wait for them.
create table account_visits (
  userid text
    constraint account_visits_pkey primary key
    constraint account_visits_userid_fkey references accounts (account_id),
  last_seen_at timestamptz not null
);
create index account_visits_seen_idx on account_visits (last_seen_at desc, userid);

-- A row is the suspension of an account or of one of its clusters.
create table account_holds (
  id text constraint account_holds_pkey primary key,
  account_id text not null constraint account_holds_account_id_fkey references accounts (account_id),
  -- Null: the whole account.
  cluster_id text,
  scope text not null constraint account_holds_scope_check check (scope in ('servers', 'visitors')),
  reason text not null
    constraint account_holds_reason_check check (reason in ('disputed', 'abuse', 'unpaid', 'legal', 'asked',
      'closing')),
  -- Explanation for the customer.
  text text not null,
  -- Deadline for the customer's answer; null if there is none.
  answer_by timestamptz,
  -- Null: until the suspension is released.
  until timestamptz,
  held_by text not null constraint account_holds_held_by_fkey references accounts (account_id),
  held_at timestamptz not null,
  released_by text constraint account_holds_released_by_fkey references accounts (account_id),
  released_at timestamptz,
  -- The customer's latest answer; a later one replaces it.
  answer text,
  answered_at timestamptz
);
-- At most one closing of an account at a time.
create unique index account_holds_closing_key on account_holds (account_id) where reason = 'closing' and released_at
  is null;
create index account_holds_living_idx on account_holds (account_id) where released_at is null;
create index account_holds_until_idx on account_holds (until) where released_at is null;

-- Support's request to look at a customer, where the deployment asks the customer first, and the customer's answer.
create table support_consents (
  account_id text
    constraint support_consents_pkey primary key
    constraint support_consents_account_id_fkey references accounts (account_id),
  reason text not null,
  asked_at timestamptz not null,
  -- Null: not answered yet.
  answered_at timestamptz,
  -- Allows support to look for a day.
  is_allowed boolean not null default false
);

-- Returns the DID of an account. The personal fields of the audit log identify people by DID, because a signature from
-- a wallet is compared with the actor. A value that is not an account's id is returned unchanged.
create function audit_did(account text) returns text language sql stable as $$
  select coalesce((select did from accounts where account_id = account), account)
$$;

-- For modules that accounts are built on and that identify people by DID, such as identity.
create view account_dids as select account_id, did from accounts;
