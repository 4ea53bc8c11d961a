-- From when until when the machines of a subscription were stopped because a bill was past due, by the account's clock.
-- That time is not charged; until_at is null while it lasts. modules/billing/documents/stopped-spans.ts
create table stopped_spans (
  subscription_id text not null constraint stopped_spans_subscription_id_fkey references subscriptions (id),
  from_at timestamptz not null,
  until_at timestamptz,
  constraint stopped_spans_pkey primary key (subscription_id, from_at),
  constraint stopped_spans_order_check check (until_at >= from_at)
);
create unique index stopped_spans_open_key on stopped_spans (subscription_id) where until_at is null;

-- Those that are stopped now.
insert into stopped_spans
  select subscription.id, min(dunning.past_due_at), null
  from subscriptions subscription
  join subscription_items item on item.subscription_id = subscription.id and item.state = 'past_due'
  join invoice_items line on line.item_id = item.id
  join invoices invoice on invoice.id = line.invoice_id and invoice.state = 'open'
  join dunnings dunning on dunning.invoice_id = invoice.id and dunning.past_due_at is not null
  where subscription.cluster_id is not null
  group by subscription.id;
