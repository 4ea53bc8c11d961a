-- Whose fault it is that there is no newer certificate; null: nobody's, or nothing is in the way.
alter table certificates add column problem_fault text
  constraint certificates_fault_check check (problem_fault in ('owner', 'nameServer', 'authority'));
-- When the domain's owner had mail about this: three days of failure, a sixth of its life left. Null: not, or not since
-- it was issued.
alter table certificates add column failing_mailed_at timestamptz;
alter table certificates add column ending_mailed_at timestamptz;
