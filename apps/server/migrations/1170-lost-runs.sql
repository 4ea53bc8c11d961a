-- oldest program: 0.1.0
alter table snapshots
  -- When the machine of a run was last lost in the middle: what it had stored by then no snapshot may need.
  add column lost_at timestamptz;
