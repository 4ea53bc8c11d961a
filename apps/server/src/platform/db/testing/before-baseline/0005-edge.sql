-- Bytes of bodies and upgraded connections that the edge carried, per cluster and hour (UTC). Edges add to it every two
-- seconds; several may add to one row.
create table traffic_counters (
  cluster_id text not null,
  hour timestamptz not null,
  bytes_in bigint not null constraint traffic_counters_bytes_in_check check (bytes_in >= 0),
  bytes_out bigint not null constraint traffic_counters_bytes_out_check check (bytes_out >= 0),
  constraint traffic_counters_pkey primary key (cluster_id, hour)
);
