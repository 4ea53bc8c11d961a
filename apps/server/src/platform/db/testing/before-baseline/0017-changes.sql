-- What changed for whom, numbered in the order of commits, so that a browser that was away can be told what it missed.
-- Kept for an hour, and at most the newest 100 000 (job changes.prune); who was away longer asks for everything anew.
create table changes (
  id bigint generated always as identity constraint changes_pkey primary key,
  -- Null only inside the transaction that writes the row.
  seq bigint constraint changes_seq_key unique,
  account text not null,
  topic text not null,
  object_id text not null,
  at timestamptz not null default now()
);
create index changes_account_idx on changes (account, seq);
create index changes_at_idx on changes using brin (at);

-- The number given last.
create table change_position (
  is_only boolean not null default true constraint change_position_pkey primary key
    constraint change_position_is_only_check check (is_only),
  seq bigint not null
);
insert into change_position (seq) values (0);

create function changes_number() returns trigger language plpgsql as $$
declare
  next_seq bigint;
begin
  perform lock_commit_order();
  update change_position set seq = seq + 1 returning seq into strict next_seq;
  update changes set seq = next_seq where id = new.id;
  perform pg_notify('atoll_change',
    json_build_object('seq', next_seq, 'account', new.account, 'topic', new.topic, 'id', new.object_id)::text);
  return null;
end $$;
-- At the end of the transaction: numbers are in the order of commits, and whoever sees one sees all before it.
create constraint trigger changes_number after insert on changes
  deferrable initially deferred for each row execute function changes_number();
