-- Which names an order was for: authorities count failures by name, and a domain that is removed and added again has
-- other certificates for the same ones.
alter table acme_orders add column names text[] not null default '{}';
update acme_orders o set names = c.names from certificates c where c.id = o.certificate;
create index acme_orders_failed_idx on acme_orders (ended_at) where state = 'failed';
