-- Bytes of bodies and upgraded connections per cluster, hour and kind. Edges add to it every two seconds; several may
-- add to one row.
create table traffic_counters (
  cluster_id text,
  -- Start of the hour (UTC).
  hour timestamptz,
  bytes_in bigint not null constraint traffic_counters_bytes_in_check check (bytes_in >= 0),
  bytes_out bigint not null constraint traffic_counters_bytes_out_check check (bytes_out >= 0),
  -- How the bytes were carried: by the edge to a Cloud instance, by frp (this deployment's relay or an operator's
  -- frps), or by Cloudflare.
  kind text default 'edge'
    constraint traffic_counters_kind_check check (kind in ('edge', 'FrpNetwork', 'CloudflareNetwork')),
  constraint traffic_counters_pkey primary key (cluster_id, hour, kind)
);
-- Used to find the hours that are over.
create index traffic_counters_hour_idx on traffic_counters (hour);
