-- Causes for which runs and chores of a backup fail, of which its owner was told since they last worked: by what failed.
alter table backups add column troubles jsonb not null default '{}';
