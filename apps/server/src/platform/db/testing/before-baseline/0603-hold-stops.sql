-- oldest program: 0.1.0
-- Clusters that a suspension stopped, which are started again when it is released.
create table hold_stops (
  hold_id text not null references account_holds (id),
  cluster_id text not null,
  primary key (hold_id, cluster_id)
);
