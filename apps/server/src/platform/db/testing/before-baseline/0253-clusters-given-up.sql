-- A machine that was given up stays as it is, in its status, and nobody hears it any more: its address is free.
alter table clusters add column given_up_at timestamptz;
-- The cluster's, repeated, as the status machine asks for it with the status.
alter table instances add column given_up boolean not null default false;
-- Since when this agent proves nothing.
alter table agents add column refused_at timestamptz;

drop index clusters_host_label_key;
create unique index clusters_host_label_key on clusters (host_label)
  where status not in ('destroyed', 'canceled') and given_up_at is null;
