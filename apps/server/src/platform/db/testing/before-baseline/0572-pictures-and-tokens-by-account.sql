-- Pictures and tokens for measurements refer to their account by its id.
alter table avatars add column account_id text constraint avatars_account_id_fkey
  references accounts (account_id) on delete cascade;
update avatars set account_id = (select account_id from accounts where accounts.userid = avatars.userid);
alter table avatars drop column userid;
alter table avatars add constraint avatars_pkey primary key (account_id);

alter table scrape_tokens add column account_id text constraint scrape_tokens_account_id_fkey
  references accounts (account_id) on delete cascade;
update scrape_tokens set account_id = (select account_id from accounts where accounts.userid = scrape_tokens.userid);
alter table scrape_tokens drop column userid;
alter table scrape_tokens add constraint scrape_tokens_pkey primary key (account_id);
