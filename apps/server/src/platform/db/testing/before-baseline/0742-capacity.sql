-- oldest program: 0.1.0
-- The machines that Cloud instances run on, as they were read last, and whether they take new orders.
create table capacity_regions (
  cloud_name text not null,
  region_id text not null,
  accepts boolean not null default true,
  constraint capacity_regions_pkey primary key (cloud_name, region_id)
);
create table capacity_members (
  cloud_name text not null,
  region_id text not null,
  member text not null,
  constraint capacity_members_pkey primary key (cloud_name, region_id, member),
  accepts boolean not null default true,
  state text not null constraint capacity_members_state_check check (state in ('online', 'resting', 'lost')),
  cpu_cores integer not null,
  memory_mib bigint not null,
  memory_used_mib bigint not null,
  disk_mib bigint not null,
  disk_used_mib bigint not null,
  -- Mean of five minutes: cores at work; null where it is not told.
  cpu_busy double precision,
  -- Since its disk is so full that it takes no orders.
  full_since timestamptz,
  read_at timestamptz not null
);

-- Where it was placed, and then where its provider says that it is; null: not known.
alter table instances add column member text;
