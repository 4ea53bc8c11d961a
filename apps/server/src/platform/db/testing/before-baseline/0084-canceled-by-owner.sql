-- An order that its owner takes back while a card is asked for it ends later: the log says then who it was.
alter table payments
  drop constraint payments_canceling_for_check,
  add constraint payments_canceling_for_check check (canceling_for in ('lapse', 'cancel', 'another'));
