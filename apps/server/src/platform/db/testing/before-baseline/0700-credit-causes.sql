-- oldest program: 0.1.0
-- Why a credit note gave something back; null: from before it was written down.
alter table credit_notes add column cause text
  constraint credit_notes_cause_check check (cause in ('ended', 'neverRan', 'stopped', 'readings'));
