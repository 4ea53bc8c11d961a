-- What stands before the first link of each book's chain. Books of before keep theirs, over the DID and the currency; a
-- new book takes it over the account's id, which stays when the DID is erased.
alter table ledger_books add column first_hash text
  constraint ledger_books_first_hash_check check (first_hash ~ '^[0-9a-f]{64}$');
drop trigger ledger_books_one_further on ledger_books;
update ledger_books set first_hash =
  encode(sha256(convert_to(audit_field(userid) || audit_field(currency), 'UTF8')), 'hex');
alter table ledger_books alter column first_hash set not null;
create trigger ledger_books_one_further before update on ledger_books for each row
  when (new.userid <> old.userid or new.currency <> old.currency or new.first_hash <> old.first_hash
    or new.seq <> old.seq + 1)
  execute function audit_refuse();

create function ledger_open() returns trigger language plpgsql as $$
begin
  select encode(sha256(convert_to(audit_field(account_id) || audit_field(new.currency), 'UTF8')), 'hex')
    into strict new.first_hash from accounts where userid = new.userid;
  new.hash := new.first_hash;
  return new;
end $$;
create trigger ledger_books_open before insert on ledger_books for each row execute function ledger_open();
