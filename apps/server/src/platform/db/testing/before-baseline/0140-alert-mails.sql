-- When the owner was mailed of it (module observe); null: never, or before this column was there.
alter table alert_events add column mailed_at timestamptz;
