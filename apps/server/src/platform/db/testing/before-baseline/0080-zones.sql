-- What the name servers of customers' domains answer (module dns).

-- Serials (RFC 1035, 3.3.13): of all zones, so that a zone which is made anew is never taken for its forerunner.
create sequence zone_versions as bigint minvalue 1 maxvalue 4294967295;

create table zones (
  -- Lower case, ASCII, without a dot at the end.
  domain text not null constraint zones_pkey primary key,
  version bigint not null constraint zones_version_check check (version between 1 and 4294967295),
  -- Host names, the first one the primary.
  name_servers text[] not null constraint zones_name_servers_check check (cardinality(name_servers) > 0),
  updated_at timestamptz not null default now()
);

create table zone_records (
  domain text not null constraint zone_records_domain_fkey references zones on delete cascade,
  name text not null,
  type text not null constraint zone_records_type_check check (type in ('A', 'AAAA', 'CNAME', 'TXT', 'CAA')),
  value text not null,
  -- s
  ttl integer not null constraint zone_records_ttl_check check (ttl between 0 and 86400),
  constraint zone_records_pkey primary key (domain, name, type, value)
);
