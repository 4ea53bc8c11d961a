-- oldest program: 0.1.0
alter table instances
  -- The member that it is being moved to. An earlier program restarts it where it is.
  add column move_to text;
