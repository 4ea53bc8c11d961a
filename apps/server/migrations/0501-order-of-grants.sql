-- oldest program: 0.1.0
-- In which order grants, and the ways back to before them, came: the time does not say it once a clock was set back.
alter table vault_grant_history add column number bigint;
update vault_grant_history h set number = o.number
  from (select id, row_number() over (order by created_at, id) as number from vault_grant_history) o where o.id = h.id;
alter table vault_grant_history alter column number set not null;
alter table vault_grant_history alter column number add generated always as identity;
select setval(pg_get_serial_sequence('vault_grant_history', 'number'), coalesce(max(number), 0) + 1, false)
  from vault_grant_history;
drop index vault_grant_history_repo_id_idx;
create index vault_grant_history_repo_id_idx on vault_grant_history (repo_id, number);

alter table vault_returns add column number bigint;
update vault_returns r set number = o.number
  from (select id, row_number() over (order by at, id) as number from vault_returns) o where o.id = r.id;
alter table vault_returns alter column number set not null;
alter table vault_returns alter column number add generated always as identity;
select setval(pg_get_serial_sequence('vault_returns', 'number'), coalesce(max(number), 0) + 1, false)
  from vault_returns;
drop index vault_returns_repo_id_idx;
create index vault_returns_repo_id_idx on vault_returns (repo_id, number);
