-- When a name that a visit asked for was visited last, to the day: one that is not visited for 30 days is not renewed.
alter table certificates add column visited_at timestamptz;
update certificates set visited_at = now() where visited_cluster is not null;
-- Whose clusters a certificate is for: an account has a share of what authorities issue under a registered domain in a
-- week. Null: ordered before this was noted.
alter table acme_orders add column account text;
