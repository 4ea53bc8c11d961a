-- How long installs take is told by the newest that ended.
create index operations_installs_idx on operations (ended_at desc) where kind = 'create' and state = 'done';
