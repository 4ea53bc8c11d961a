-- The ledger, in double entry. A row is a book: each account has one, in its currency. A transaction is a row with two
-- or more entries that add up to zero, debits positive, and carries the hash of the previous transaction in its book
-- (modules/ledger). Postings are never changed or removed: the triggers below refuse it. Only `ledger_post` writes.
create table ledger_books (
  userid text
    constraint ledger_books_pkey primary key
    constraint ledger_books_userid_fkey references accounts (account_id),
  currency text not null constraint ledger_books_currency_check check (currency in ('usd', 'cny')),
  -- Number and hash of the last transaction; before the first one, 0 and `first_hash`.
  seq bigint not null,
  hash text not null,
  -- Start of the book's chain: a hash over the account's id and the currency (`ledger_open`). A book whose hash is over
  -- the DID instead of the id is also valid.
  first_hash text not null constraint ledger_books_first_hash_check check (first_hash ~ '^[0-9a-f]{64}$')
);

create table ledger_transactions (
  book text constraint ledger_transactions_book_fkey references ledger_books (userid),
  seq bigint,
  -- On the account's clock, which can be moved forward for sandbox accounts. `recorded_at` is on the wall clock.
  at timestamptz not null,
  recorded_at timestamptz not null,
  kind text not null
    constraint ledger_transactions_kind_check check (kind in ('invoice', 'void', 'hold', 'release', 'pay', 'roll',
      'collect', 'late_capture', 'credit_note', 'grant', 'lapse', 'card_refund', 'refund_returned', 'dispute',
      'dispute_lost', 'dispute_returned', 'write_off', 'adjust')),
  -- Id of what the transaction is about, such as an invoice, a payment, a credit note or a grant.
  document text not null,
  -- Idempotency key: posting under a key again returns what was posted first.
  key text not null constraint ledger_transactions_key_key unique,
  -- SHA-256, hex, over the previous hash, the fields above and the entries: see `ledger_hash`.
  hash text not null,
  constraint ledger_transactions_pkey primary key (book, seq)
);
-- Used to sum up the postings of each day (ledger_days).
create index ledger_transactions_at_idx on ledger_transactions (at);

create table ledger_entries (
  book text,
  seq bigint,
  line integer,
  -- Account in the ledger, not an account of a customer.
  account text not null
    constraint ledger_entries_account_check check (account ~ '^gateway:[a-z]+$' or account in ('cash', 'promo',
      'disputed', 'held:cash', 'held:promo', 'receivable', 'revenue:instance', 'revenue:plan', 'revenue:usage',
      'discount', 'promo_cost', 'writeoff', 'adjust')),
  amount_minor bigint not null
    constraint ledger_entries_amount_check check (amount_minor <> 0 and abs(amount_minor) <= 1000000000000),
  balance_after bigint not null,
  constraint ledger_entries_pkey primary key (book, seq, line),
  constraint ledger_entries_transaction_fkey foreign key (book, seq) references ledger_transactions(book, seq),
  -- These accounts of the customer can be used up, but cannot turn into a debt.
  constraint ledger_entries_credit_check check (balance_after <= 0 or account not in ('promo', 'held:cash',
    'held:promo'))
);
create index ledger_entries_customer_idx on ledger_entries (book, seq) where account in ('cash', 'promo');

create table ledger_balances (
  book text constraint ledger_balances_book_fkey references ledger_books (userid),
  account text,
  balance_minor bigint not null,
  constraint ledger_balances_pkey primary key (book, account)
);

-- Ends of books, signed with the deployment's secret key, as in audit_seals.
create table ledger_seals (
  book text constraint ledger_seals_book_fkey references ledger_books (userid),
  seq bigint,
  hash text not null,
  mac text not null,
  at timestamptz not null,
  constraint ledger_seals_pkey primary key (book, seq)
);

-- Sums of the postings of each day, by currency, kind and ledger account, over all books. Job ledger.days writes them,
-- for the operator's pages about money.
create table ledger_days (
  -- Such as 2027-01-31, in the time zone of the accounts with this currency.
  day text,
  currency text,
  kind text,
  account text,
  amount_minor bigint not null,
  constraint ledger_days_pkey primary key (day, currency, kind, account)
);

-- `lines`: the line, account, amount and balance of each entry, in order, each encoded by audit_field.
create function ledger_hash(
  previous text, seq bigint, at timestamptz, recorded_at timestamptz, kind text, document text, key text, lines text
) returns text language sql stable
  return encode(sha256(convert_to(
    audit_field(previous) || audit_field(seq::text)
    || audit_field(to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || audit_field(to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || audit_field(kind) || audit_field(document) || audit_field(key) || lines, 'UTF8')), 'hex');

-- Posts one transaction, with at most one entry per ledger account, in the caller's transaction, until whose end the
-- book stays locked. Returns the number and hash of the transaction, and whether it is new: the first posting under a
-- key is the one that counts.
create function ledger_post(in_book text, in_currency text, in_at timestamp with time zone, in_kind text,
  in_document text, in_key text, in_accounts text[], in_amounts bigint[])
  returns TABLE(posted_seq bigint, posted_hash text, is_new boolean) language plpgsql as $$
declare
  head ledger_books;
  first ledger_transactions;
  total numeric;
  lines text;
  balances bigint[];
  next_hash text;
  recorded timestamptz;
begin
  select * into head from ledger_books where userid = in_book for no key update;
  if not found then
    insert into ledger_books (userid, currency, seq, hash) values (in_book, in_currency, 0,
      encode(sha256(convert_to(audit_field(in_book) || audit_field(in_currency), 'UTF8')), 'hex'))
      on conflict do nothing;
    select * into strict head from ledger_books where userid = in_book for no key update;
  end if;
  if head.currency is distinct from in_currency then
    raise exception 'the book of % is in %, not in %', in_book, head.currency, in_currency using errcode = 'check_violation';
  end if;
  select * into first from ledger_transactions where key = in_key;
  if found then
    if first.book <> in_book then
      raise exception 'the key % was used in another book', in_key using errcode = 'unique_violation';
    end if;
    return query select first.seq, first.hash, false;
    return;
  end if;
  select sum(amount) into total from unnest(in_amounts) amount;
  if total is distinct from 0 or cardinality(in_accounts) is distinct from cardinality(in_amounts) then
    raise exception 'the entries of % % are not even: %', in_kind, in_document, in_amounts using errcode = 'check_violation';
  end if;

  recorded := clock_timestamp();
  with entry as (
    select * from unnest(in_accounts, in_amounts) with ordinality entry (account, amount, line)
  ), held as (
    insert into ledger_balances as held (book, account, balance_minor) select in_book, account, amount from entry
      on conflict (book, account) do update set balance_minor = held.balance_minor + excluded.balance_minor
      returning account, balance_minor
  )
  select string_agg(audit_field(line::text) || audit_field(account) || audit_field(amount::text)
      || audit_field(balance_minor::text), '' order by line), array_agg(balance_minor order by line)
    into lines, balances from entry join held using (account);
  next_hash := ledger_hash(head.hash, head.seq + 1, in_at, recorded, in_kind, in_document, in_key, lines);
  insert into ledger_transactions (book, seq, at, recorded_at, kind, document, key, hash)
    values (in_book, head.seq + 1, in_at, recorded, in_kind, in_document, in_key, next_hash);
  insert into ledger_entries (book, seq, line, account, amount_minor, balance_after)
    select in_book, head.seq + 1, line, account, amount, balance
    from unnest(in_accounts, in_amounts, balances) with ordinality entry (account, amount, balance, line);
  update ledger_books set seq = head.seq + 1, hash = next_hash where userid = in_book;
  return query select head.seq + 1, next_hash, true;
end $$;

-- Also checks rows that are not written by ledger_post: the entries that one statement adds to a transaction add up to
-- zero.
create function ledger_add_entries() returns trigger language plpgsql as $$
declare
  uneven record;
begin
  select book, seq into uneven from added group by book, seq having sum(amount_minor) <> 0 limit 1;
  if found then
    raise exception 'the entries of transaction % of % are not even', uneven.seq, uneven.book using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- At commit, a transaction has entries, and they add up to zero.
create function ledger_add_transaction() returns trigger language plpgsql as $$
begin
  perform from ledger_entries where book = new.book and seq = new.seq having sum(amount_minor) = 0;
  if not found then
    raise exception 'the entries of transaction % of % are not even', new.seq, new.book using errcode = 'check_violation';
  end if;
  return null;
end $$;

create function ledger_open() returns trigger language plpgsql as $$
begin
  new.first_hash := encode(sha256(convert_to(audit_field(new.userid) || audit_field(new.currency), 'UTF8')), 'hex');
  new.hash := new.first_hash;
  return new;
end $$;

-- Only the amount of a balance changes.
create trigger ledger_balances_no_delete before delete on ledger_balances
  for each row execute function audit_refuse();
create trigger ledger_balances_no_truncate before truncate on ledger_balances
  for each statement execute function audit_refuse();
create trigger ledger_balances_one_account before update on ledger_balances for each row
  when (new.book <> old.book or new.account <> old.account) execute function audit_refuse();
-- The end of a book advances by one transaction at a time. Nothing else in its row changes.
create trigger ledger_books_no_delete before delete on ledger_books for each row execute function audit_refuse();
create trigger ledger_books_no_truncate before truncate on ledger_books
  for each statement execute function audit_refuse();
create trigger ledger_books_one_further before update on ledger_books for each row
  when (new.userid <> old.userid or new.currency <> old.currency or new.first_hash <> old.first_hash
    or new.seq <> old.seq + 1)
  execute function audit_refuse();
create trigger ledger_books_open before insert on ledger_books for each row execute function ledger_open();
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function audit_refuse();
create trigger ledger_entries_even after insert on ledger_entries
  referencing new table as added for each statement execute function ledger_add_entries();
create trigger ledger_entries_no_truncate before truncate on ledger_entries
  for each statement execute function audit_refuse();
create trigger ledger_seals_append_only before update or delete on ledger_seals
  for each row execute function audit_refuse();
create trigger ledger_seals_no_truncate before truncate on ledger_seals
  for each statement execute function audit_refuse();
create trigger ledger_transactions_append_only before update or delete on ledger_transactions
  for each row execute function audit_refuse();
create constraint trigger ledger_transactions_even after insert on ledger_transactions
  deferrable initially deferred for each row execute function ledger_add_transaction();
create trigger ledger_transactions_no_truncate before truncate on ledger_transactions
  for each statement execute function audit_refuse();
