-- oldest program: 0.1.0
-- The amount that an account pays a month is added up for each row of the list of customers.
create index subscription_items_userid_idx on subscription_items (userid) where state in ('active', 'past_due');
