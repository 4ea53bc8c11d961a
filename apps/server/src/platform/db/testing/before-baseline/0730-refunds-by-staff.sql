-- oldest program: 0.1.0
-- What staff give back of an invoice that was paid, and why: the credit note prints it.
alter table credit_notes drop constraint credit_notes_cause_check;
alter table credit_notes add constraint credit_notes_cause_check
  check (cause in ('ended', 'neverRan', 'stopped', 'readings', 'refunded'));
alter table credit_notes add column reason text;
alter table credit_notes add constraint credit_notes_reason_check check (reason is null or cause = 'refunded');
