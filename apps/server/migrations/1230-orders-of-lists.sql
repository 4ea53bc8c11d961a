-- oldest program: 0.1.0
-- A page of the operator's lists is found by an index, however many customers there are.
create index accounts_currency_idx on accounts (currency, account_id);
create index accounts_plan_idx on accounts (plan_level, account_id);
create index accounts_did_beginning_idx on accounts (lower(did) text_pattern_ops);
create index accounts_email_beginning_idx on accounts (lower(email) text_pattern_ops);
create index names_beginning_idx on names (name text_pattern_ops);
create index clusters_label_beginning_idx on clusters (host_label text_pattern_ops);
create index invoices_unpaid_idx on invoices (userid) where state in ('open', 'uncollectible');
create index ledger_balances_credit_idx on ledger_balances ((-balance_minor) desc, book) where account = 'cash';
create index clusters_name_beginning_idx on clusters (lower(name) text_pattern_ops) where status not in ('destroyed',
  'canceled') and purpose = 'user';
create index clusters_living_idx on clusters (status, id) where status not in ('destroyed', 'canceled') and
  purpose = 'user';
