-- What the plan lets each of the account's clusters carry, as of checked_at; null: the plan was not asked, or sets none.
alter table traffic_allowances add column bandwidth_mbit integer;
