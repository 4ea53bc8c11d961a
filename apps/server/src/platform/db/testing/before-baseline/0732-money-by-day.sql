-- oldest program: 0.1.0
-- What was posted each day, by currency, kind and account of the ledger, over all books: what the page of money adds.
create index ledger_transactions_at_idx on ledger_transactions (at);
create table ledger_days (
  day text not null,
  currency text not null,
  kind text not null,
  account text not null,
  amount_minor bigint not null,
  constraint ledger_days_pkey primary key (day, currency, kind, account)
);
-- Each time that the ledger and its documents were verified.
create table books_verified (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  books int not null,
  transactions bigint not null,
  problem text
);
create index payments_ended_idx on payments (ended_at) where method_id is not null;
create index payments_unknown_idx on payments (created_at) where state = 'unknown';
create index invoices_owed_idx on invoices (issued_at) where state = 'open';
create index invoices_issued_idx on invoices (issued_at, id);
create index credit_notes_issued_idx on credit_notes (issued_at, id);
create index payments_created_idx on payments (created_at, id);
