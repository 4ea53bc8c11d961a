-- Numbers of an account's invoices, such as ATL-7K3QD-0010: the account's code and a count. Written under the account's
-- lock.
create table billing_accounts (
  userid text
    constraint billing_accounts_pkey primary key
    constraint billing_accounts_userid_fkey references accounts (account_id),
  code text not null
    constraint billing_accounts_code_key unique
    constraint billing_accounts_code_check check (code ~ '^[0-9A-HJKMNP-TV-Z]{5}$'),
  -- Invoices in the current series.
  invoices integer not null constraint billing_accounts_invoices_check check (invoices >= 0),
  -- Numbers continue in a new series after each resumption from a restore.
  series integer not null default 0 constraint billing_accounts_series_check check (series >= 0)
);

-- A row is a subscription to a plan or to a cluster.
create table subscriptions (
  id text constraint subscriptions_pkey primary key,
  userid text not null constraint subscriptions_userid_fkey references accounts (account_id),
  kind text not null constraint subscriptions_kind_check check (kind in ('cluster', 'plan')),
  cluster_id text constraint subscriptions_cluster_id_fkey references clusters (id),
  state text not null
    constraint subscriptions_state_check check (state in ('unpaid', 'active', 'past_due', 'canceled', 'ended')),
  -- Period k begins k months after the anchor.
  anchor timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  -- Of a plan: the level that it drops to at the end of the period; null if it stays.
  pending_level smallint constraint subscriptions_pending_level_check check (pending_level between 0 and 3),
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint subscriptions_cluster_check check ((kind = 'cluster') = (cluster_id is not null)),
  constraint subscriptions_ended_check check ((ended_at is not null) = (state in ('canceled', 'ended'))),
  constraint subscriptions_pending_check check (kind = 'plan' or pending_level is null),
  constraint subscriptions_period_check check (period_start < period_end)
);
create unique index subscriptions_cluster_key on subscriptions (cluster_id) where state not in ('canceled', 'ended');
create unique index subscriptions_plan_key on subscriptions (userid) where kind = 'plan' and state not in
  ('canceled', 'ended');
create index subscriptions_userid_idx on subscriptions (userid, created_at);

create table subscription_items (
  id text constraint subscription_items_pkey primary key,
  userid text not null constraint subscription_items_userid_fkey references accounts (account_id),
  subscription_id text not null constraint subscription_items_subscription_id_fkey references subscriptions (id),
  -- Null: the plan itself. After a repair this is the new instance.
  instance_id text
    constraint subscription_items_instance_id_key unique
    constraint subscription_items_instance_id_fkey references instances (id),
  -- The terms on which it was sold, by their hash.
  price_id text not null constraint subscription_items_price_id_fkey references prices (id),
  state text not null
    constraint subscription_items_state_check check (state in ('unpaid', 'active', 'past_due', 'canceled', 'ended')),
  created_at timestamptz not null,
  ended_at timestamptz,
  -- When the item was paid for the first time; null until then. From then on a plan's quotas and rates apply.
  began_at timestamptz,
  constraint subscription_items_ended_check check ((ended_at is not null) = (state in ('canceled', 'ended')))
);
create index subscription_items_subscription_id_idx on subscription_items (subscription_id);

-- A row is a grant of promotional credit. Grants are used in the order in which they expire.
create table promo_grants (
  id text constraint promo_grants_pkey primary key,
  userid text not null constraint promo_grants_userid_fkey references accounts (account_id),
  currency text not null constraint promo_grants_currency_check check (currency in ('usd', 'cny')),
  amount_minor bigint not null,
  left_minor bigint not null,
  -- Null: never.
  expires_at timestamptz,
  created_at timestamptz not null,
  constraint promo_grants_left_check check (left_minor between 0 and amount_minor)
);
create index promo_grants_left_idx on promo_grants (userid, expires_at) where left_minor > 0;

-- How often each coupon was redeemed. The catalogue says how often it may be.
create table coupons (
  code text constraint coupons_pkey primary key,
  redeemed integer not null constraint coupons_redeemed_check check (redeemed > 0)
);

-- Which account redeemed which coupon, and its terms at that time, because the catalogue may change or drop it. An
-- account redeems a coupon once.
create table coupon_redemptions (
  userid text constraint coupon_redemptions_userid_fkey references accounts (account_id),
  code text constraint coupon_redemptions_code_fkey references coupons (code),
  -- JSON text of the coupon in the catalogue.
  terms text not null,
  redeemed_at timestamptz not null,
  constraint coupon_redemptions_pkey primary key (userid, code)
);

-- A row is something that billing will do automatically. There is one for each kind and object until it is done.
create table due_items (
  userid text constraint due_items_userid_fkey references accounts (account_id),
  -- Which runner handles it (modules/billing/schedule/due-kinds.ts).
  kind text,
  -- Id of the invoice, subscription or grant.
  object text,
  -- On the account's clock.
  due_at timestamptz not null,
  -- The same moment on the wall clock: due_at less the account's clock_offset_ms.
  wall_at timestamptz not null,
  -- Earliest time of the next run, on the wall clock, if a run failed or waits for a payment in progress.
  retry_at timestamptz,
  failures integer not null default 0 constraint due_items_failures_check check (failures >= 0),
  constraint due_items_pkey primary key (userid, kind, object)
);
create index due_items_wall_at_idx on due_items (wall_at);

-- Accounts whose bills the server stopped writing because there were too many or one was too large. They wait for the
-- operator's review.
create table parked_accounts (
  userid text
    constraint parked_accounts_pkey primary key
    constraint parked_accounts_userid_fkey references accounts (account_id),
  -- On the wall clock.
  parked_at timestamptz not null,
  why text not null,
  -- When the operator had reviewed the account; null while it is parked. Bills from before that time no longer count.
  released_at timestamptz
);

-- The most that usage may cost in a period of the plan, from `set_at` on, which is on the account's clock.
create table spend_caps (
  userid text constraint spend_caps_userid_fkey references accounts (account_id),
  set_at timestamptz,
  -- Null: no cap.
  amount_minor bigint constraint spend_caps_amount_check check (amount_minor >= 0),
  constraint spend_caps_pkey primary key (userid, set_at)
);

-- A row is the reading of the meters for a span of time that a usage bill is made of. Times are on the account's clock,
-- except for as_of and recorded_at.
create table usage_readings (
  id text constraint usage_readings_pkey primary key,
  userid text not null constraint usage_readings_userid_fkey references accounts (account_id),
  subscription_id text not null constraint usage_readings_subscription_id_fkey references subscriptions (id),
  product_type text not null
    constraint usage_readings_product_type_check check (product_type in ('cloud_storage', 'cloud_backup',
      'cloud_traffic', 'cdn_traffic')),
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- In 10^-6 units.
  used numeric not null constraint usage_readings_used_check check (used >= 0),
  unit_label text not null,
  as_of timestamptz not null,
  complete boolean not null,
  -- JSON text: [{clusterId, network?, used}].
  parts text not null,
  digest text not null,
  recorded_at timestamptz not null,
  constraint usage_readings_span_check check (from_at < to_at)
);
create index usage_readings_subscription_idx on usage_readings (subscription_id, from_at);

-- Mails about money that were written. Each is sent once, even if the step that causes it is repeated.
create table billing_mails (
  userid text constraint billing_mails_userid_fkey references accounts (account_id),
  key text,
  kind text not null,
  -- On the account's clock.
  at timestamptz not null,
  constraint billing_mails_pkey primary key (userid, key)
);

-- Where an account's clock is being moved to. Times are on the account's clock.
create table travels (
  userid text constraint travels_pkey primary key constraint travels_userid_fkey references accounts (account_id),
  target timestamptz not null,
  -- Clusters that may be destroyed on the way.
  destroy text[] not null,
  -- The clock stopped before these clusters would have been destroyed, because they are not in `destroy`. Null while it
  -- goes on.
  stopped_before text[]
);

-- Jumps of an account's clock. They translate its times to the wall clock, which the meters use.
create table clock_jumps (
  userid text constraint clock_jumps_userid_fkey references accounts (account_id),
  from_at timestamptz,
  to_at timestamptz not null,
  wall_at timestamptz not null,
  constraint clock_jumps_pkey primary key (userid, from_at),
  constraint clock_jumps_forward_check check (from_at < to_at)
);

-- Notices to an account about its plan's quotas: one row for each product, which the next notice overwrites. Written by
-- the job that checks the account's usage.
create table usage_notices (
  userid text constraint usage_notices_userid_fkey references accounts (account_id),
  product_type text,
  key text not null
    constraint usage_notices_key_check check (key in ('usageNear', 'usageCharged', 'usageLimited', 'usageOpen')),
  params jsonb not null,
  -- On the wall clock.
  until timestamptz not null,
  -- Since when the notice holds; null if it is not known.
  since timestamptz,
  constraint usage_notices_pkey primary key (userid, product_type)
);

-- Charges at the gateway that had no payment here and that the operator took over as credit of the customer.
create table adopted_captures (
  -- This deployment's id that the charge carries (`pay_…`).
  id text constraint adopted_captures_pkey primary key,
  userid text not null constraint adopted_captures_userid_fkey references accounts (account_id),
  gateway text not null,
  gateway_ref text not null,
  -- The document that the charge claims to pay.
  document text,
  number text,
  currency text not null constraint adopted_captures_currency_check check (currency in ('usd', 'cny')),
  amount_minor bigint not null constraint adopted_captures_amount_check check (amount_minor > 0),
  adopted_at timestamptz not null,
  constraint adopted_captures_gateway_ref_key unique (gateway, gateway_ref)
);
create index adopted_captures_userid_idx on adopted_captures (userid);

-- Of a period of a plan: the amount up to which usage was covered when it was checked. More than that is not charged if
-- the account has no means to cover it.
create table usage_credits (
  subscription_id text constraint usage_credits_subscription_id_fkey references subscriptions (id),
  period_start timestamptz,
  userid text not null constraint usage_credits_userid_fkey references accounts (account_id),
  -- Gross, minor units.
  covered_minor bigint not null constraint usage_credits_covered_check check (covered_minor >= 0),
  -- Price of the period by its readings, minor units, set when it was billed as a whole; null until then.
  priced_minor bigint constraint usage_credits_priced_check check (priced_minor >= 0),
  constraint usage_credits_pkey primary key (subscription_id, period_start)
);
create index usage_credits_userid_idx on usage_credits (userid);

-- Uses of coupons that are limited to one per card (module billing): which account used the coupon with which card.
create table coupon_cards (
  code text constraint coupon_cards_code_fkey references coupons (code),
  fingerprint text,
  userid text not null constraint coupon_cards_userid_fkey references accounts (account_id),
  constraint coupon_cards_pkey primary key (code, fingerprint)
);
create index coupon_cards_userid_idx on coupon_cards (userid);

-- The seller as the settings name it. A row is added when they change, and applies from then on.
create table issuers (
  seq integer generated always as identity constraint issuers_pkey primary key,
  product text not null,
  name text not null,
  address text[] not null,
  kept_at timestamptz not null
);

-- Contents of a document when it was issued: names of its account, clusters and instances, the seller, and the card of
-- a payment. Later changes of these do not alter it.
create table document_copies (
  -- Id of an invoice, a credit note, or a payment by card.
  document_id text constraint document_copies_pkey primary key,
  userid text not null constraint document_copies_userid_fkey references accounts (account_id),
  -- Null: the first row of `issuers`.
  issuer integer constraint document_copies_issuer_fkey references issuers (seq),
  -- JSON, see modules/billing/records/documents/document-copies.ts.
  content jsonb not null
);

create table invoices (
  id text constraint invoices_pkey primary key,
  userid text not null constraint invoices_userid_fkey references accounts (account_id),
  number text not null constraint invoices_number_key unique,
  kind text not null constraint invoices_kind_check check (kind in ('order', 'plan', 'renewal', 'usage')),
  currency text not null constraint invoices_currency_check check (currency in ('usd', 'cny')),
  gross_minor bigint not null,
  discount_minor bigint not null,
  total_minor bigint not null,
  coupon text,
  -- On the account's clock; `recorded_at` is on the wall clock.
  issued_at timestamptz not null,
  recorded_at timestamptz not null,
  -- An order that is not paid by then becomes void.
  valid_until timestamptz,
  -- Only this column and those below may change.
  state text not null constraint invoices_state_check check (state in ('open', 'paid', 'void', 'uncollectible')),
  payment_id text,
  closed_at timestamptz,
  -- Part of the invoice's payments that banks took back for good, minor units.
  lost_minor bigint not null default 0 constraint invoices_lost_check check (lost_minor >= 0),
  -- How often the invoice was reopened for that.
  reopened integer not null default 0 constraint invoices_reopened_check check (reopened >= 0),
  constraint invoices_copy_fkey foreign key (id) references document_copies(document_id) deferrable initially deferred,
  constraint invoices_closed_check check ((closed_at is not null) = (state <> 'open')),
  constraint invoices_payment_check check ((payment_id is not null) = (state = 'paid')),
  constraint invoices_total_check check (discount_minor between 0 and gross_minor and total_minor = gross_minor -
    discount_minor)
);
create index invoices_coupon_idx on invoices (userid, coupon) where coupon is not null;
create index invoices_issued_idx on invoices (issued_at, id);
create index invoices_open_idx on invoices (userid) where state = 'open';
create index invoices_owed_idx on invoices (issued_at) where state = 'open';
create index invoices_userid_idx on invoices (userid, issued_at);

create table invoice_items (
  invoice_id text constraint invoice_items_invoice_id_fkey references invoices (id),
  line integer,
  userid text not null constraint invoice_items_userid_fkey references accounts (account_id),
  item_id text not null constraint invoice_items_item_id_fkey references subscription_items (id),
  -- Instance: paid in advance, which includes plans. Otherwise a metered product.
  product_type text not null
    constraint invoice_items_product_type_check check (product_type in ('Instance', 'cloud_storage', 'cloud_backup',
      'cloud_traffic', 'cdn_traffic')),
  revenue text not null constraint invoice_items_revenue_check check (revenue in ('instance', 'plan', 'usage')),
  price_id text not null constraint invoice_items_price_id_fkey references prices (id),
  -- Why it is charged. The same time is charged only once for each reason.
  reason text not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  proration boolean not null,
  amount_minor bigint not null,
  discount_minor bigint not null,
  -- JSON text, see modules/billing/pricing/explain.ts.
  explain text not null,
  -- Usage above a quota is credit (module billing): a period may be billed in parts, whenever the unbilled usage
  -- reaches what the account's means cover. 0 unless the line is such a part.
  part integer not null default 0 constraint invoice_items_part_check check (part >= 0),
  constraint invoice_items_pkey primary key (invoice_id, line),
  constraint invoice_items_once_key unique (item_id, period_start, reason, part),
  constraint invoice_items_discount_check check (discount_minor between 0 and amount_minor)
);

create table payments (
  id text constraint payments_pkey primary key,
  userid text not null constraint payments_userid_fkey references accounts (account_id),
  invoice_id text not null constraint payments_invoice_id_fkey references invoices (id),
  state text not null
    constraint payments_state_check check (state in ('created', 'sending', 'succeeded', 'declined', 'needs_action',
      'unknown', 'canceled')),
  currency text not null constraint payments_currency_check check (currency in ('usd', 'cny')),
  -- How the invoice is paid. These amounts are set aside while the payment is open. `card_minor` includes
  -- `collected_minor`, which pays an earlier debt.
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
  -- Why a payment that was sent is to be ended at the gateway (modules/billing/pay/attempts): its order lapses, its
  -- owner cancels it, or another payment replaces it. Null: it is not.
  canceling_for text constraint payments_canceling_for_check check (canceling_for in ('lapse', 'cancel', 'another')),
  -- How often in a row the gateway gave no clear answer.
  unanswered integer not null default 0 constraint payments_unanswered_check check (unanswered >= 0),
  -- How often it was created at the gateway. A payment that the gateway does not know is created again under another
  -- key.
  sends integer not null default 0 constraint payments_sends_check check (sends >= 0),
  -- Id under which the gateway knows it, if an existing charge for the same document was found there and adopted.
  captured_as text,
  -- How often disputes had reopened the invoice when this payment began.
  round integer not null default 0,
  constraint payments_card_check check (card_minor >= collected_minor and collected_minor >= 0),
  constraint payments_ended_check check ((ended_at is not null) = (state in ('succeeded', 'declined', 'canceled'))),
  constraint payments_gateway_check check ((gateway is not null) = (method_id is not null))
);
create index payments_created_idx on payments (created_at, id);
create index payments_ended_idx on payments (ended_at) where method_id is not null;
create index payments_gateway_ref_idx on payments (gateway, gateway_ref) where gateway_ref is not null;
-- Payments of an invoice, for the pages about money.
create index payments_invoice_id_idx on payments (invoice_id);
-- One at a time: two open payments would both be charged.
create unique index payments_open_key on payments (invoice_id) where state in ('created', 'sending', 'needs_action',
  'unknown');
create unique index payments_succeeded_key on payments (invoice_id, round) where state = 'succeeded';
create index payments_unknown_idx on payments (created_at) where state = 'unknown';
create index payments_userid_idx on payments (userid, created_at);

create table credit_notes (
  id text constraint credit_notes_pkey primary key,
  userid text not null constraint credit_notes_userid_fkey references accounts (account_id),
  invoice_id text not null constraint credit_notes_invoice_id_fkey references invoices (id),
  currency text not null constraint credit_notes_currency_check check (currency in ('usd', 'cny')),
  -- Where the credit went. `lapsed_promo_minor` is promotional credit that had lapsed and went nowhere.
  cash_minor bigint not null constraint credit_notes_cash_check check (cash_minor >= 0),
  promo_minor bigint not null constraint credit_notes_promo_check check (promo_minor >= 0),
  receivable_minor bigint not null constraint credit_notes_receivable_check check (receivable_minor >= 0),
  lapsed_promo_minor bigint not null default 0 constraint credit_notes_lapsed_check check (lapsed_promo_minor >= 0),
  issued_at timestamptz not null,
  recorded_at timestamptz not null,
  -- Why the credit was given; null if it was not recorded.
  cause text
    constraint credit_notes_cause_check check (cause in ('ended', 'neverRan', 'stopped', 'readings', 'refunded')),
  -- Explanation by staff; only for `refunded`.
  reason text,
  constraint credit_notes_copy_fkey foreign key (id) references document_copies(document_id) deferrable initially
    deferred,
  constraint credit_notes_reason_check check (reason is null or cause = 'refunded')
);
create index credit_notes_invoice_id_idx on credit_notes (invoice_id);
create index credit_notes_issued_idx on credit_notes (issued_at, id);
create index credit_notes_userid_idx on credit_notes (userid, issued_at);

create table credit_note_items (
  credit_note_id text constraint credit_note_items_credit_note_id_fkey references credit_notes (id),
  invoice_id text,
  line integer,
  userid text not null constraint credit_note_items_userid_fkey references accounts (account_id),
  amount_minor bigint not null,
  discount_minor bigint not null,
  constraint credit_note_items_pkey primary key (credit_note_id, line),
  constraint credit_note_items_item_fkey foreign key (invoice_id, line) references invoice_items(invoice_id, line),
  constraint credit_note_items_discount_check check (discount_minor between 0 and amount_minor)
);
create index credit_note_items_line_idx on credit_note_items (invoice_id, line);

-- A row is the amount that a payment takes of a grant, from the moment it is set aside, less any amount given back.
create table promo_uses (
  payment_id text constraint promo_uses_payment_id_fkey references payments (id),
  grant_id text constraint promo_uses_grant_id_fkey references promo_grants (id),
  amount_minor bigint not null constraint promo_uses_amount_check check (amount_minor >= 0),
  constraint promo_uses_pkey primary key (payment_id, grant_id)
);

-- The state of collecting a renewal's invoice, from its issue until it is paid. Times are on the account's clock.
create table dunnings (
  invoice_id text constraint dunnings_pkey primary key constraint dunnings_invoice_id_fkey references invoices (id),
  userid text not null constraint dunnings_userid_fkey references accounts (account_id),
  -- Tries so far. There are four, on days 0, 1, 3 and 5.
  tries smallint not null constraint dunnings_tries_check check (tries between 0 and 4),
  tried_at timestamptz,
  -- When the last try failed. Since then nothing can be created, and what the invoice pays for is stopped. Null until
  -- then.
  past_due_at timestamptz
);
create index dunnings_past_due_idx on dunnings (userid) where past_due_at is not null;

-- A row is a refund from a balance to the card that paid. The amount is set aside from the request until the gateway
-- reports the outcome.
create table card_refunds (
  id text constraint card_refunds_pkey primary key,
  userid text not null constraint card_refunds_userid_fkey references accounts (account_id),
  payment_id text constraint card_refunds_payment_id_fkey references payments (id),
  currency text not null constraint card_refunds_currency_check check (currency in ('usd', 'cny')),
  amount_minor bigint not null constraint card_refunds_amount_check check (amount_minor > 0),
  state text not null
    constraint card_refunds_state_check check (state in ('pending', 'done', 'declined', 'returned')),
  -- How often the gateway was asked. From the second time on, it is first asked for the outcome of the earlier request.
  attempts integer not null default 0,
  -- A refund that was made in the gateway's dashboard is known by this alone.
  gateway_ref text,
  decline_code text,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- A refund is of a payment or of an adopted charge.
  capture_id text constraint card_refunds_capture_id_fkey references adopted_captures (id),
  -- Made in the gateway's dashboard; nothing was set aside for it.
  is_foreign boolean not null default false,
  -- False: what was set aside was released before the refund was booked.
  is_from_held boolean not null default true,
  constraint card_refunds_ended_check check ((ended_at is not null) = (state <> 'pending')),
  constraint card_refunds_of_check check ((payment_id is null) <> (capture_id is null))
);
create index card_refunds_payment_id_idx on card_refunds (payment_id);
create index card_refunds_userid_idx on card_refunds (userid, created_at);

-- First copy of an invoice's file, by language and by the state of the invoice (paid, void, given back). Later requests
-- get the same bytes, even if the cluster or its owner has been renamed.
create table invoice_files (
  invoice_id text constraint invoice_files_invoice_id_fkey references invoices (id),
  locale text constraint invoice_files_locale_check check (locale in ('en-US', 'zh-CN')),
  stands text,
  userid text not null constraint invoice_files_userid_fkey references accounts (account_id),
  bytes bytea not null,
  created_at timestamptz not null,
  constraint invoice_files_pkey primary key (invoice_id, locale, stands)
);

create table disputes (
  id text constraint disputes_pkey primary key,
  userid text not null constraint disputes_userid_fkey references accounts (account_id),
  payment_id text constraint disputes_payment_id_fkey references payments (id),
  capture_id text constraint disputes_capture_id_fkey references adopted_captures (id),
  gateway text not null,
  gateway_ref text not null,
  currency text not null constraint disputes_currency_check check (currency in ('usd', 'cny')),
  -- The disputed amount.
  amount_minor bigint not null,
  -- The part that the bank withdrew and did not reinstate.
  withdrawn_minor bigint not null,
  -- Parts of the withdrawn amount that are lost: owed on the invoice, or as cash.
  lost_minor bigint not null,
  lost_cash_minor bigint not null,
  state text not null constraint disputes_state_check check (state in ('inquiry', 'open', 'won', 'lost', 'closed')),
  reason text not null,
  due_by timestamptz,
  -- Number of ledger postings about the dispute. Each has a key of its own.
  moves integer not null,
  -- On the wall clock, as is `ended_at`.
  opened_at timestamptz not null,
  ended_at timestamptz,
  constraint disputes_gateway_ref_key unique (gateway, gateway_ref),
  constraint disputes_minor_check check (lost_minor >= 0 and lost_cash_minor >= 0 and withdrawn_minor >= lost_minor
    + lost_cash_minor),
  constraint disputes_of_check check ((payment_id is null) <> (capture_id is null))
);
create index disputes_payment_id_idx on disputes (payment_id);
create index disputes_userid_idx on disputes (userid);

-- A row is a span in which the instances of a subscription were stopped because a bill was past due, or for a reason
-- that the customer is not responsible for. It is not charged. Times are on the account's clock. See
-- modules/billing/records/documents/stopped-spans.ts.
create table stopped_spans (
  subscription_id text constraint stopped_spans_subscription_id_fkey references subscriptions (id),
  from_at timestamptz,
  -- Null while it lasts.
  until_at timestamptz,
  constraint stopped_spans_pkey primary key (subscription_id, from_at),
  constraint stopped_spans_order_check check (until_at >= from_at)
);
create unique index stopped_spans_open_key on stopped_spans (subscription_id) where until_at is null;

-- Keys that sign statements. One is current; earlier keys are kept, because the statements that they signed stay valid.
-- The first key is derived from the deployment's secret.
create table statement_keys (
  -- Ed25519, hex.
  public_key text constraint statement_keys_pkey primary key,
  -- Seed of the private key, sealed.
  sealed text not null,
  created_at timestamptz not null,
  -- When the key stopped signing; null: it is current.
  retired_at timestamptz
);
create unique index statement_keys_current_key on statement_keys ((true)) where retired_at is null;

-- Charges at the gateway that have no payment here, as job billing.captures last found them. An operator adopts them or
-- sends them back.
create table lost_captures (
  gateway text,
  ref text,
  payment_id text not null,
  -- Account whose card was charged, if it is known.
  account_id text constraint lost_captures_account_id_fkey references accounts (account_id),
  currency text not null constraint lost_captures_currency_check check (currency in ('usd', 'cny')),
  amount_minor bigint not null constraint lost_captures_amount_check check (amount_minor > 0),
  document text,
  number text,
  taken_at timestamptz not null,
  found_at timestamptz not null,
  constraint lost_captures_pkey primary key (gateway, ref)
);

-- A row is a verification of the ledger and its documents.
create table books_verified (
  number bigint generated always as identity constraint books_verified_pkey primary key,
  at timestamptz not null,
  books integer not null,
  transactions bigint not null,
  -- The first problem that was found; null: there is none.
  problem text
);

-- How a bank is answered about a dispute: once, by an operator. A job sends the answer.
create table dispute_answers (
  dispute_id text
    constraint dispute_answers_pkey primary key
    constraint dispute_answers_dispute_id_fkey references disputes (id),
  way text not null constraint dispute_answers_way_check check (way in ('evidence', 'accept')),
  text text not null,
  answered_by text not null constraint dispute_answers_answered_by_fkey references accounts (account_id),
  answered_at timestamptz not null,
  attempts integer not null default 0,
  sent_at timestamptz,
  -- Why the gateway refused the answer; null if it did not.
  refused text
);

create function credit_note_items_within() returns trigger language plpgsql as $$
begin
  if exists (
    select from invoice_items cost cross join lateral (
      select sum(amount_minor) as amount, sum(discount_minor) as discount from credit_note_items back
      where back.invoice_id = cost.invoice_id and back.line = cost.line) as given
    where cost.invoice_id = new.invoice_id and cost.line = new.line
      and (given.amount > cost.amount_minor or given.discount > cost.discount_minor
        or given.amount - given.discount > cost.amount_minor - cost.discount_minor)
  ) then
    raise exception 'more is given back of line % of % than it cost', new.line, new.invoice_id using errcode = 'check_violation';
  end if;
  return null;
end
$$;

-- Of a line of usage, what each cluster used of the counted amount, in 10^-6 units: its share, for each part of the
-- period, of the newest reading that was recorded before the invoice.
create function document_shares(charged invoice_items, of_subscription text, issued timestamp with time zone)
  returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('clusterId', used.id, 'name', coalesce(clusters.name, used.id),
    'used', round(used.counted)::text) order by used.counted desc, used.id), '[]')
  from (
    select share ->> 'clusterId' as id,
      sum((share ->> 'used')::numeric * (part ->> 'used')::numeric / nullif(reading.used, 0)) as counted
    from jsonb_array_elements(charged.explain::jsonb -> 'parts') as part
    cross join lateral (
      select used, parts from usage_readings
      where subscription_id = of_subscription and product_type = charged.product_type
        and from_at = (part ->> 'start')::timestamptz and to_at <= charged.period_end and recorded_at <= issued
      order by recorded_at desc limit 1
    ) as reading
    cross join lateral jsonb_array_elements(reading.parts::jsonb) as share
    group by 1
  ) as used left join clusters on clusters.id = used.id
  where used.counted > 0
$$;

-- Contents of an invoice, according to the current state of the database.
create function document_content(of_invoice text) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'account', (select names.name from names join accounts on accounts.did = names.did
      where accounts.account_id = invoice.userid),
    'zone', (select coalesce(accounts.zone, 'UTC') from accounts where accounts.account_id = invoice.userid),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'line', charged.line,
        'cluster', case when cluster.id is not null
          then jsonb_build_object('id', cluster.id, 'name', cluster.name) end,
        'instance', case when instance.id is not null
          then jsonb_build_object('id', instance.id, 'role', instance.role, 'ordinal', instance.ordinal) end,
        'shares', case when charged.revenue = 'usage'
          then document_shares(charged, item.subscription_id, invoice.recorded_at) else '[]' end) order by charged.line), '[]')
      from invoice_items charged
      join subscription_items item on item.id = charged.item_id
      join subscriptions subscription on subscription.id = item.subscription_id
      left join clusters cluster on cluster.id = subscription.cluster_id
      left join instances instance on instance.id = item.instance_id
      where charged.invoice_id = invoice.id))
  from invoices invoice where invoice.id = of_invoice
$$;

-- Contents of a credit note: the account as it is now, and the lines that it gives back as they are on their invoice.
create function credit_note_content(of_note text) returns jsonb language sql stable as $$
  select document_content(note.invoice_id) || jsonb_build_object('lines', (
    select coalesce(jsonb_agg(line order by line -> 'line'), '[]')
    from document_copies copy cross join lateral jsonb_array_elements(copy.content -> 'lines') as line
    where copy.document_id = note.invoice_id and (line ->> 'line')::integer in (
      select credit_note_items.line from credit_note_items where credit_note_id = note.id)))
  from credit_notes note where note.id = of_note
$$;

-- Only the erasure of an account passes this guard. A transaction that has written the account's documents to the
-- archive names the account in atoll.erasing_account (set_config('atoll.erasing_account', userid, true)). It may then
-- put a pseudonym into the content of that account's copies and delete its files. Nothing else may change.
create function document_guard() returns trigger language plpgsql as $$
begin
  if current_setting('atoll.erasing_account', true) = old.userid then
    if tg_op = 'DELETE' and tg_table_name = 'invoice_files' then
      return old;
    end if;
    if tg_op = 'UPDATE' and tg_table_name = 'document_copies' and to_jsonb(new) - 'content' = to_jsonb(old) - 'content' then
      return new;
    end if;
  end if;
  raise exception '% keeps what was issued: % is refused', tg_table_name, tg_op using errcode = 'insufficient_privilege';
end $$;

create trigger credit_note_items_append_only before update or delete on credit_note_items
  for each row execute function audit_refuse();
create trigger credit_note_items_no_truncate before truncate on credit_note_items
  for each statement execute function audit_refuse();
create trigger credit_note_items_within after insert on credit_note_items
  for each row execute function credit_note_items_within();
create trigger credit_notes_append_only before update or delete on credit_notes
  for each row execute function audit_refuse();
create trigger credit_notes_no_truncate before truncate on credit_notes
  for each statement execute function audit_refuse();
create trigger document_copies_guard before update or delete on document_copies
  for each row execute function document_guard();
create trigger document_copies_no_truncate before truncate on document_copies
  for each statement execute function audit_refuse();
create trigger invoice_files_guard before update or delete on invoice_files
  for each row execute function document_guard();
create trigger invoice_files_no_truncate before truncate on invoice_files
  for each statement execute function audit_refuse();
create trigger invoice_items_append_only before update or delete on invoice_items
  for each row execute function audit_refuse();
create trigger invoice_items_no_truncate before truncate on invoice_items
  for each statement execute function audit_refuse();
create trigger invoices_frozen before update on invoices for each row
  when (to_jsonb(old) - array['state', 'payment_id', 'closed_at', 'lost_minor', 'reopened'] is distinct from
    to_jsonb(new) - array['state', 'payment_id', 'closed_at', 'lost_minor', 'reopened'])
  execute function audit_refuse();
create trigger invoices_kept before delete on invoices for each row execute function audit_refuse();
create trigger invoices_no_truncate before truncate on invoices for each statement execute function audit_refuse();
create trigger issuers_append_only before update or delete on issuers for each row execute function audit_refuse();
create trigger issuers_no_truncate before truncate on issuers for each statement execute function audit_refuse();
create trigger usage_readings_append_only before update or delete on usage_readings
  for each row execute function audit_refuse();
create trigger usage_readings_no_truncate before truncate on usage_readings
  for each statement execute function audit_refuse();
