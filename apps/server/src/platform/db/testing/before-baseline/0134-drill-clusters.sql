-- What a cluster is for: `user` is somebody's, `drill` is made by the server to restore a backup on, hidden, and
-- destroyed when that is over. Those of drills belong to an account of their own, whose key nobody has: whatever is
-- told, counted or charged by owner tells nobody of them.
alter table clusters
  add column purpose text not null default 'user' constraint clusters_purpose_check check (purpose in ('user', 'drill'));
create index clusters_drill_idx on clusters (created_at) where purpose = 'drill' and status not in ('destroyed', 'canceled');
