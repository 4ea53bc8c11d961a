-- oldest program: 0.1.0
-- What staff know of a customer: when it was last seen, what they noted, who looked and why, and what is held.

-- Beside the account, whose row orders lock: a request that is only noted must not wait for them.
create table account_visits (
  userid text primary key references accounts (userid),
  last_seen_at timestamptz not null
);
create index account_visits_seen_idx on account_visits (last_seen_at desc, userid);
insert into account_visits (userid, last_seen_at)
  select userid, coalesce((select max(last_seen_at) from sessions where sessions.userid = accounts.userid), created_at)
  from accounts;

create table customer_notes (
  number bigint generated always as identity primary key,
  account_id text not null references accounts (account_id),
  written_by text not null references accounts (account_id),
  text text not null,
  at timestamptz not null
);
create index customer_notes_account_idx on customer_notes (account_id, number);

-- Why a staff member opened a customer: asked once a day.
create table support_looks (
  staff_id text not null references accounts (account_id),
  account_id text not null references accounts (account_id),
  reason text not null,
  begun_at timestamptz not null,
  -- When it was last written into the audit log.
  recorded_at timestamptz not null,
  primary key (staff_id, account_id)
);

create table account_holds (
  id text primary key,
  account_id text not null references accounts (account_id),
  -- Null: the whole account.
  cluster_id text,
  scope text not null constraint account_holds_scope_check check (scope in ('servers', 'visitors')),
  reason text not null
    constraint account_holds_reason_check check (reason in ('disputed', 'abuse', 'unpaid', 'legal', 'asked')),
  -- What the customer reads.
  text text not null,
  answer_by timestamptz,
  -- Null: until it is released.
  until timestamptz,
  held_by text not null references accounts (account_id),
  held_at timestamptz not null,
  released_by text references accounts (account_id),
  released_at timestamptz,
  -- Of the customer.
  answer text,
  answered_at timestamptz
);
create index account_holds_living_idx on account_holds (account_id) where released_at is null;
create index account_holds_until_idx on account_holds (until) where released_at is null;
