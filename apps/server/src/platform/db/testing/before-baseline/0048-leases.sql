-- What one process holds at a time, by kind: the channel of an agent, the relay connection of a host. Written by the
-- process that holds it (take, renew, release) and by any process (expiry of those that died).
create table leases (
  kind text not null,
  -- What is held, such as an instance's id.
  name text not null,
  -- New for each holding, such as a connection's id.
  holder text not null constraint leases_holder_key unique,
  -- Where the holder is reached by other processes, if it is.
  place text,
  -- In no index, so that writing it every few seconds stays cheap (HOT).
  renewed_at timestamptz not null,
  constraint leases_pkey primary key (kind, name)
) with (fillfactor = 70);

insert into leases (kind, name, holder, renewed_at)
select 'agent-channel', instance_id, connection_id, coalesce(last_seen_at, clock_timestamp())
from agents where connection_id is not null
-- Two rows never had one connection, but nothing forbade it.
on conflict do nothing;
insert into leases (kind, name, holder, place, renewed_at)
select 'relay', instance_id, connection_id, edge_url, seen_at from relay_connections;

drop table relay_connections;
drop index agents_connected_idx;
alter table agents drop column connection_id;
