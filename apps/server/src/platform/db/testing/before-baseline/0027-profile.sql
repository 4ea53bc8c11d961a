-- Codes sent to addresses that are to be bound. Only the newest of an account can be used; the others stay an hour, to
-- count them. code_hash is made with the deployment's key: six digits alone would be guessed from any hash at once.
create table email_codes (
  id text constraint email_codes_pkey primary key,
  userid text not null constraint email_codes_userid_fkey references accounts (userid) on delete cascade,
  email text not null,
  code_hash text not null,
  mail_id text not null,
  tries_left integer not null constraint email_codes_tries_left_check check (tries_left >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Used, or forgotten at the owner's wish.
  ended_at timestamptz
);
create index email_codes_userid_idx on email_codes (userid, created_at);
create index email_codes_email_idx on email_codes (email, created_at);
create index email_codes_created_at_idx on email_codes (created_at);

-- Pictures of accounts as they are served: encoded by us, some 10 kB each. In the database because every api process
-- serves them. accounts.avatar names the hash.
create table avatars (
  userid text constraint avatars_pkey primary key constraint avatars_userid_fkey references accounts (userid) on delete cascade,
  -- SHA-256 of the bytes, hex.
  hash text not null,
  image bytea not null,
  created_at timestamptz not null,
  constraint avatars_image_check check (length(image) <= 200000)
);
create index avatars_hash_idx on avatars (hash);

alter table accounts
  -- The language this account was last used in: what its mails are written in.
  add column locale text not null default 'en-US' constraint accounts_locale_check check (locale in ('en-US', 'zh-CN')),
  add constraint accounts_avatar_check check (avatar ~ '^[0-9a-f]{64}$');
