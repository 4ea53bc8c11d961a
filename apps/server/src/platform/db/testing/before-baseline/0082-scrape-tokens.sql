-- With which an account's own Prometheus reads its measurements (module observe): one each, hashed.
create table scrape_tokens (
  userid text constraint scrape_tokens_pkey primary key
    constraint scrape_tokens_userid_fkey references accounts on delete cascade,
  token_hash text not null constraint scrape_tokens_token_hash_key unique,
  created_at timestamptz not null,
  used_at timestamptz
);
