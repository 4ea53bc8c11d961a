-- What is charged for, once and for all: bytes that flowed between two times, or that were held from a time on. A late
-- or corrected flow is another reading of the same source, with the difference; nothing is ever changed.
create table meter_readings (
  id bigint generated always as identity constraint meter_readings_pkey primary key,
  owner text not null constraint meter_readings_owner_fkey references accounts (userid),
  cluster_id text not null constraint meter_readings_cluster_id_fkey references clusters (id),
  -- What holds the bytes of a level, such as an instance; of a flow, the cluster.
  series text not null,
  product_type text not null constraint meter_readings_product_type_check check (product_type in ('cloud_storage',
    'cloud_backup', 'cloud_traffic', 'cdn_traffic')),
  network text constraint meter_readings_network_check check (network in ('FrpNetwork', 'CloudflareNetwork')),
  from_at timestamptz not null,
  -- Null of a level: until the next of its series.
  to_at timestamptz,
  bytes numeric(30, 0) not null,
  source_key text not null,
  seq int not null constraint meter_readings_seq_check check (seq > 0),
  taken_at timestamptz not null,
  -- Over all of the above but the id: see meter_reading_digest.
  digest text not null,
  constraint meter_readings_source_key unique (source_key, seq),
  constraint meter_readings_span_check check (
    case when product_type in ('cloud_storage', 'cloud_backup') then to_at is null and bytes >= 0
      else to_at is not null and from_at < to_at end)
);
create index meter_readings_owner_idx on meter_readings (owner, product_type, from_at);
create index meter_readings_product_idx on meter_readings (product_type, from_at);

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
create trigger meter_readings_seal before insert on meter_readings for each row execute function meter_readings_seal();
create trigger meter_readings_append_only before update or delete on meter_readings
  for each row execute function audit_refuse();
create trigger meter_readings_no_truncate before truncate on meter_readings
  for each statement execute function audit_refuse();

-- Until when each source has been read.
create table meter_marks (
  source text constraint meter_marks_pkey primary key,
  through timestamptz not null
);

-- Hours that are closed are found by it.
create index traffic_counters_hour_idx on traffic_counters (hour);
