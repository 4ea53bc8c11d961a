-- oldest program: 0.1.0
-- In which order grants, and the ways back to before them, came: the time does not say it once a clock was set back.
create sequence vault_grant_numbers as bigint;
alter table vault_grant_history add column number bigint not null default nextval('vault_grant_numbers');
-- Those that are there were numbered as they lie: as many numbers, by their time.
update vault_grant_history h set number = o.number
  from (select id, row_number() over (order by created_at, id) as number from vault_grant_history) o where o.id = h.id;
create index vault_grant_history_number_idx on vault_grant_history (repo_id, number);

create sequence vault_return_numbers as bigint;
alter table vault_returns add column number bigint not null default nextval('vault_return_numbers');
update vault_returns r set number = o.number
  from (select id, row_number() over (order by at, id) as number from vault_returns) o where o.id = r.id;
create index vault_returns_number_idx on vault_returns (repo_id, number);
