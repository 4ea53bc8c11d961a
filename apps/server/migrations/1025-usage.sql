-- Traffic left to an account before its plan is asked again whether its clusters are served (modules/usage/limits).
create table traffic_allowances (
  userid text
    constraint traffic_allowances_pkey primary key
    constraint traffic_allowances_userid_fkey references accounts (account_id),
  -- Bytes; what is transferred is subtracted. Null: there is no limit at present.
  left_bytes bigint,
  -- True: the account's clusters are not served.
  limited boolean not null,
  -- When the plan was last asked.
  checked_at timestamptz not null,
  -- Bandwidth that the plan allows each of the account's clusters, Mbit/s, as of checked_at. Null: the plan was not
  -- asked, or sets no limit.
  bandwidth_mbit integer
) with (fillfactor = 70);

-- A row is a reading that usage is charged by: bytes that flowed between two times, or that were held from a time on. A
-- row is never changed: a late or corrected flow is another reading of the same source, with the difference.
create table meter_readings (
  id bigint generated always as identity constraint meter_readings_pkey primary key,
  owner text not null constraint meter_readings_owner_fkey references accounts (account_id),
  cluster_id text not null constraint meter_readings_cluster_id_fkey references clusters (id),
  -- For a level, what holds the bytes, such as an instance; for a flow, the cluster.
  series text not null,
  product_type text not null
    constraint meter_readings_product_type_check check (product_type in ('cloud_storage', 'cloud_backup',
      'cloud_traffic', 'cdn_traffic')),
  network text constraint meter_readings_network_check check (network in ('FrpNetwork', 'CloudflareNetwork')),
  from_at timestamptz not null,
  -- Null for a level, which lasts until the next reading of its series.
  to_at timestamptz,
  bytes numeric(30,0) not null,
  source_key text not null,
  seq integer not null constraint meter_readings_seq_check check (seq > 0),
  taken_at timestamptz not null,
  -- SHA-256, hex, over all columns above except for the id: see meter_reading_digest.
  digest text not null,
  constraint meter_readings_source_key unique (source_key, seq),
  constraint meter_readings_span_check check ( case when product_type in ('cloud_storage', 'cloud_backup') then
    to_at is null and bytes >= 0 else to_at is not null and from_at < to_at end)
);
create index meter_readings_owner_idx on meter_readings (owner, product_type, from_at);
create index meter_readings_product_idx on meter_readings (product_type, from_at);

-- Up to when each source has been read.
create table meter_marks (
  source text constraint meter_marks_pkey primary key,
  through timestamptz not null
);

-- How many readings were ever written for each product, and the sum of the first 60 bits of their digests. They show
-- whether a reading was removed. A trigger counts on each insert.
create table meter_tallies (
  product_type text constraint meter_tallies_pkey primary key,
  readings bigint not null,
  digests numeric not null
);

create function meter_reading_digest(r meter_readings) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(r.owner, r.cluster_id, r.series, r.product_type, r.network,
    extract(epoch from r.from_at), extract(epoch from r.to_at), r.bytes, r.source_key, r.seq,
    extract(epoch from r.taken_at))::text, 'UTF8')), 'hex')
$$;

create function meter_readings_seal() returns trigger language plpgsql as $$
begin
  new.digest := meter_reading_digest(new);
  return new;
end $$;

create function meter_reading_weight(digest text) returns numeric language sql immutable as $$
  select ('x' || left(digest, 15))::bit(60)::bigint::numeric
$$;

create function meter_readings_tally() returns trigger language plpgsql as $$
begin
  insert into meter_tallies (product_type, readings, digests)
    select product_type, count(*), sum(meter_reading_weight(digest)) from taken group by product_type
    on conflict (product_type) do update set readings = meter_tallies.readings + excluded.readings,
      digests = meter_tallies.digests + excluded.digests;
  return null;
end $$;

create trigger meter_readings_append_only before update or delete on meter_readings
  for each row execute function audit_refuse();
create trigger meter_readings_no_truncate before truncate on meter_readings
  for each statement execute function audit_refuse();
create trigger meter_readings_seal before insert on meter_readings for each row execute function meter_readings_seal();
create trigger meter_readings_tally after insert on meter_readings referencing new table as taken
  for each statement execute function meter_readings_tally();
