alter table backups
  -- A password that the machine of a backup is to use from now on, sealed to its key; null: none is wanted.
  add column new_box text,
  -- Name of the key file that the change removes, or removes next; null: it has not begun.
  add column old_key text,
  -- Why the last change failed: JSON of a Reason.
  add column new_box_reason text;
alter table backup_chores
  drop constraint backup_chores_kind_check,
  add constraint backup_chores_kind_check check (kind in ('forget', 'prune', 'check', 'drill', 'password'));
