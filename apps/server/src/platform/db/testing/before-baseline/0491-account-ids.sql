-- oldest program: 0.1.0
-- What rows, logs and files call an account: random, so that it says nothing of its owner once the DID is erased.
alter table accounts
  add column account_id text not null default 'ac_' || replace(gen_random_uuid()::text, '-', '')
  constraint accounts_account_id_key unique;
