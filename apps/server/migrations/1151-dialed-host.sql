-- oldest program: 0.1.0
-- The host (and port) under which an agent last opened its channel; null: not since this is noted.
alter table agents add column dialed_host text;
