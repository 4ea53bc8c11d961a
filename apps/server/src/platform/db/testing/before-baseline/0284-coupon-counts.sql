-- How a coupon was used is read from the invoices that it reduced (module billing): its months begin with the first
-- period that it reduces, and one that is used once is used while an invoice holds something of it.
alter table coupon_redemptions drop column ends_at, drop column used_by;
create index invoices_coupon_idx on invoices (userid, coupon) where coupon is not null;
