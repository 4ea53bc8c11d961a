-- Authorities count new certificates under a registered domain. One whose names had a certificate already is none: with
-- some hundred members the renewals alone would otherwise be as many as may be had in a week.
alter table acme_orders add column is_renewal boolean not null default false;
