-- Orders outlive their certificates: authorities count what they issued for a domain, whoever removed it since. Those
-- of a certificate that is gone are ended, and have no key any more.
alter table acme_orders drop constraint acme_orders_certificate_fkey;
