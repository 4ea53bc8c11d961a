-- Derived from what the account owes: see `isAccessLimited`.
alter table accounts drop column access_limit;
