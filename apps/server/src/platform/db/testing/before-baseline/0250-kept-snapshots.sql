-- Snapshots that no rule removes, and rules that suit the schedule (issue 27, point 3).

alter table snapshots
  -- Since when it is pinned, and until when; null: until its owner unpins it.
  add column pinned_at timestamptz,
  add column pinned_until timestamptz,
  add constraint snapshots_pinned_check check (pinned_until is null or pinned_at is not null);

-- How many files the deletion of a backup made trash of: it can be taken back while all of them are there.
alter table backups add column trashed_files integer;
-- Of a deletion that is under way already: those that are still there.
update backups as b set trashed_files = (
  select count(*) from vault_files where repo_id = b.repo_id and trashed_by = b.id and removing_at is null)
where state = 'deleting';

-- Plans that still have the rules that every plan got, whatever its schedule.
update backups set keep = case schedule ->> 'every'
  when 'hour' then '{"last":0,"hourly":48,"daily":30,"weekly":0,"monthly":12,"yearly":0}'::jsonb
  when 'week' then '{"last":0,"hourly":0,"daily":0,"weekly":12,"monthly":12,"yearly":0}'::jsonb
  when 'month' then '{"last":0,"hourly":0,"daily":0,"weekly":0,"monthly":12,"yearly":0}'::jsonb
  else keep end
where keep = '{"last":0,"hourly":0,"daily":30,"weekly":0,"monthly":12,"yearly":0}'::jsonb;

-- Snapshots are forgotten by the server itself, at once: no machine has to be there, and none has a right to.
update backup_chores set ended_at = now() where kind = 'forget' and ended_at is null;
