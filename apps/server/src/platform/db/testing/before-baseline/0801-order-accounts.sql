-- The account that a certificate was ordered for, which has a share of a week's orders; who has none here has no share.
update acme_orders set account = (select account_id from accounts where accounts.did = acme_orders.account)
  where account like 'did:%';
