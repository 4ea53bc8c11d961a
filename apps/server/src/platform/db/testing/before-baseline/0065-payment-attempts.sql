-- Sending payments (modules/billing/attempts). Why one that was sent is to be ended at the gateway, if it is: its order
-- lapses, or another card pays instead.
alter table payments add column canceling_for text
  constraint payments_canceling_for_check check (canceling_for in ('lapse', 'another'));
-- How often in a row the gateway gave no clear answer.
alter table payments add column unanswered integer not null default 0
  constraint payments_unanswered_check check (unanswered >= 0);
