-- oldest program: 0.1.0
-- An account that closes is held like a suspended one, for the reason 'closing', until the day on which it is erased.
alter table account_holds drop constraint account_holds_reason_check;
alter table account_holds add constraint account_holds_reason_check
  check (reason in ('disputed', 'abuse', 'unpaid', 'legal', 'asked', 'closing'));
-- Once at a time.
create unique index account_holds_closing_key on account_holds (account_id)
  where reason = 'closing' and released_at is null;
