-- What billing writes down: subscriptions, invoices, payments, credit notes, promotional credit. Amounts are minor units of
-- the row's currency; times are the account's, but recorded_at, which is the wall's. States and who writes them:
-- modules/billing/documents/states.ts.

-- Numbers of an account's invoices, ATL-7K3QD-0010: its code, and how many there are. The account's lock is held.
create table billing_accounts (
  userid text constraint billing_accounts_pkey primary key constraint billing_accounts_userid_fkey references accounts (userid),
  code text not null constraint billing_accounts_code_key unique
    constraint billing_accounts_code_check check (code ~ '^[0-9A-HJKMNP-TV-Z]{5}$'),
  invoices integer not null constraint billing_accounts_invoices_check check (invoices >= 0)
);

create table subscriptions (
  id text constraint subscriptions_pkey primary key,
  userid text not null constraint subscriptions_userid_fkey references accounts (userid),
  kind text not null constraint subscriptions_kind_check check (kind in ('cluster', 'plan')),
  cluster_id text constraint subscriptions_cluster_id_fkey references clusters (id),
  state text not null
    constraint subscriptions_state_check check (state in ('unpaid', 'active', 'past_due', 'canceled', 'ended')),
  -- Period k begins k months after the anchor.
  anchor timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  -- Of a plan: what it falls to at the period's end.
  pending_level smallint constraint subscriptions_pending_level_check check (pending_level between 0 and 3),
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint subscriptions_cluster_check check ((kind = 'cluster') = (cluster_id is not null)),
  constraint subscriptions_pending_check check (kind = 'plan' or pending_level is null),
  constraint subscriptions_period_check check (period_start < period_end),
  constraint subscriptions_ended_check check ((ended_at is not null) = (state in ('canceled', 'ended')))
);
create index subscriptions_userid_idx on subscriptions (userid, created_at);
create unique index subscriptions_cluster_key on subscriptions (cluster_id) where state not in ('canceled', 'ended');
create unique index subscriptions_plan_key on subscriptions (userid) where kind = 'plan' and state not in ('canceled', 'ended');

create table subscription_items (
  id text constraint subscription_items_pkey primary key,
  userid text not null constraint subscription_items_userid_fkey references accounts (userid),
  subscription_id text not null constraint subscription_items_subscription_id_fkey references subscriptions (id),
  -- Null: the plan. A repair puts the new machine here.
  instance_id text constraint subscription_items_instance_id_key unique
    constraint subscription_items_instance_id_fkey references instances (id),
  -- What was sold, by the hash of its terms.
  price_id text not null constraint subscription_items_price_id_fkey references prices (id),
  state text not null
    constraint subscription_items_state_check check (state in ('unpaid', 'active', 'past_due', 'canceled', 'ended')),
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint subscription_items_ended_check check ((ended_at is not null) = (state in ('canceled', 'ended')))
);
create index subscription_items_subscription_id_idx on subscription_items (subscription_id);

create table invoices (
  id text constraint invoices_pkey primary key,
  userid text not null constraint invoices_userid_fkey references accounts (userid),
  number text not null constraint invoices_number_key unique,
  kind text not null constraint invoices_kind_check check (kind in ('order', 'plan', 'renewal', 'usage')),
  currency text not null constraint invoices_currency_check check (currency in ('usd', 'cny')),
  gross_minor bigint not null,
  discount_minor bigint not null,
  total_minor bigint not null,
  coupon text,
  issued_at timestamptz not null,
  recorded_at timestamptz not null,
  -- An order that is not paid by then is void.
  valid_until timestamptz,
  -- What follows alone may change.
  state text not null constraint invoices_state_check check (state in ('open', 'paid', 'void', 'uncollectible')),
  payment_id text,
  closed_at timestamptz,
  constraint invoices_total_check check (discount_minor between 0 and gross_minor and total_minor = gross_minor - discount_minor),
  constraint invoices_payment_check check ((payment_id is not null) = (state = 'paid')),
  constraint invoices_closed_check check ((closed_at is not null) = (state <> 'open'))
);
create index invoices_userid_idx on invoices (userid, issued_at);
create index invoices_open_idx on invoices (userid) where state = 'open';

create table invoice_items (
  invoice_id text constraint invoice_items_invoice_id_fkey references invoices (id),
  line integer,
  userid text not null constraint invoice_items_userid_fkey references accounts (userid),
  item_id text not null constraint invoice_items_item_id_fkey references subscription_items (id),
  -- Instance: paid ahead, a plan too. Else a metered product.
  product_type text not null constraint invoice_items_product_type_check check (product_type in ('Instance', 'cloud_storage',
    'cloud_backup', 'cloud_traffic', 'cdn_traffic')),
  revenue text not null constraint invoice_items_revenue_check check (revenue in ('instance', 'plan', 'usage')),
  price_id text not null constraint invoice_items_price_id_fkey references prices (id),
  -- Why it is charged: one time is charged once for each reason.
  reason text not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  proration boolean not null,
  amount_minor bigint not null,
  discount_minor bigint not null,
  -- JSON text of billing/pricing/explain.ts.
  explain text not null,
  constraint invoice_items_pkey primary key (invoice_id, line),
  constraint invoice_items_once_key unique (item_id, period_start, reason),
  constraint invoice_items_discount_check check (discount_minor between 0 and amount_minor)
);

create table payments (
  id text constraint payments_pkey primary key,
  userid text not null constraint payments_userid_fkey references accounts (userid),
  invoice_id text not null constraint payments_invoice_id_fkey references invoices (id),
  state text not null constraint payments_state_check check (state in ('created', 'sending', 'succeeded', 'declined',
    'needs_action', 'unknown', 'canceled')),
  currency text not null constraint payments_currency_check check (currency in ('usd', 'cny')),
  -- How the invoice is paid, set aside while the payment is open; card_minor is with what was owed.
  promo_minor bigint not null constraint payments_promo_check check (promo_minor >= 0),
  balance_minor bigint not null constraint payments_balance_check check (balance_minor >= 0),
  rolled_minor bigint not null constraint payments_rolled_check check (rolled_minor >= 0),
  card_minor bigint not null,
  collected_minor bigint not null,
  method_id text constraint payments_method_id_fkey references payment_methods (id),
  gateway text,
  gateway_ref text,
  decline_code text,
  action_url text,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint payments_card_check check (card_minor >= collected_minor and collected_minor >= 0),
  constraint payments_gateway_check check ((gateway is not null) = (method_id is not null)),
  constraint payments_ended_check check ((ended_at is not null) = (state in ('succeeded', 'declined', 'canceled')))
);
create index payments_userid_idx on payments (userid, created_at);
-- One at a time: two that are open would be charged both.
create unique index payments_open_key on payments (invoice_id) where state in ('created', 'sending', 'needs_action', 'unknown');
create unique index payments_succeeded_key on payments (invoice_id) where state = 'succeeded';

create table credit_notes (
  id text constraint credit_notes_pkey primary key,
  userid text not null constraint credit_notes_userid_fkey references accounts (userid),
  invoice_id text not null constraint credit_notes_invoice_id_fkey references invoices (id),
  currency text not null constraint credit_notes_currency_check check (currency in ('usd', 'cny')),
  -- Where it went; promotional credit that lapsed went nowhere.
  cash_minor bigint not null constraint credit_notes_cash_check check (cash_minor >= 0),
  promo_minor bigint not null constraint credit_notes_promo_check check (promo_minor >= 0),
  receivable_minor bigint not null constraint credit_notes_receivable_check check (receivable_minor >= 0),
  lapsed_promo_minor bigint not null constraint credit_notes_lapsed_check check (lapsed_promo_minor >= 0),
  issued_at timestamptz not null,
  recorded_at timestamptz not null
);
create index credit_notes_userid_idx on credit_notes (userid, issued_at);
create index credit_notes_invoice_id_idx on credit_notes (invoice_id);

create table credit_note_items (
  credit_note_id text constraint credit_note_items_credit_note_id_fkey references credit_notes (id),
  invoice_id text,
  line integer,
  userid text not null constraint credit_note_items_userid_fkey references accounts (userid),
  amount_minor bigint not null,
  discount_minor bigint not null,
  constraint credit_note_items_pkey primary key (credit_note_id, line),
  constraint credit_note_items_item_fkey foreign key (invoice_id, line) references invoice_items (invoice_id, line),
  -- What was charged is given back once.
  constraint credit_note_items_once_key unique (invoice_id, line),
  constraint credit_note_items_discount_check check (discount_minor between 0 and amount_minor)
);

-- Promotional credit, used up in the order in which it expires.
create table promo_grants (
  id text constraint promo_grants_pkey primary key,
  userid text not null constraint promo_grants_userid_fkey references accounts (userid),
  currency text not null constraint promo_grants_currency_check check (currency in ('usd', 'cny')),
  amount_minor bigint not null,
  left_minor bigint not null,
  -- Null: never.
  expires_at timestamptz,
  created_at timestamptz not null,
  constraint promo_grants_left_check check (left_minor between 0 and amount_minor)
);
-- What a payment takes of each grant, from the moment it is set aside, less what was given back.
create table promo_uses (
  payment_id text constraint promo_uses_payment_id_fkey references payments (id),
  grant_id text constraint promo_uses_grant_id_fkey references promo_grants (id),
  amount_minor bigint not null constraint promo_uses_amount_check check (amount_minor >= 0),
  constraint promo_uses_pkey primary key (payment_id, grant_id)
);
create index promo_grants_left_idx on promo_grants (userid, expires_at) where left_minor > 0;

-- What an invoice says stays; how it fares is all that changes.
create trigger invoices_frozen before update on invoices for each row
  when (to_jsonb(old) - array['state', 'payment_id', 'closed_at'] is distinct from
    to_jsonb(new) - array['state', 'payment_id', 'closed_at'])
  execute function audit_refuse();
create trigger invoices_kept before delete on invoices for each row execute function audit_refuse();
create trigger invoices_no_truncate before truncate on invoices for each statement execute function audit_refuse();
create trigger invoice_items_append_only before update or delete on invoice_items
  for each row execute function audit_refuse();
create trigger invoice_items_no_truncate before truncate on invoice_items for each statement execute function audit_refuse();
create trigger credit_notes_append_only before update or delete on credit_notes for each row execute function audit_refuse();
create trigger credit_notes_no_truncate before truncate on credit_notes for each statement execute function audit_refuse();
create trigger credit_note_items_append_only before update or delete on credit_note_items
  for each row execute function audit_refuse();
create trigger credit_note_items_no_truncate before truncate on credit_note_items
  for each statement execute function audit_refuse();
