-- Serials (RFC 1035, 3.3.13) of all zones. They are shared, so that a zone that is created again has a newer serial
-- than the earlier one.
create sequence zone_versions as bigint minvalue 1 maxvalue 4294967295;

create table zones (
  -- Lower case, ASCII, without a trailing dot.
  domain text constraint zones_pkey primary key,
  -- Serial.
  version bigint not null constraint zones_version_check check (version between 1 and 4294967295),
  -- Host names; the first one is the primary.
  name_servers text[] not null constraint zones_name_servers_check check (cardinality(name_servers) > 0),
  updated_at timestamptz not null default now()
);

create table zone_records (
  domain text constraint zone_records_domain_fkey references zones (domain) on delete cascade,
  name text,
  type text constraint zone_records_type_check check (type in ('A', 'AAAA', 'CNAME', 'TXT', 'CAA')),
  value text,
  -- Seconds.
  ttl integer not null constraint zone_records_ttl_check check (ttl between 0 and 86400),
  constraint zone_records_pkey primary key (domain, name, type, value)
);

-- A row is the state of a zone on a PowerDNS server that answers for it, as last written there (module dns).
create table zone_copies (
  -- Address of the server's API.
  server text,
  -- No foreign key: the row is kept until the zone is removed from the server too.
  domain text,
  -- Serial on the server; null if the zone is not known to be there.
  version bigint,
  -- When the copy was last compared with the zone.
  checked_at timestamptz,
  -- Consecutive failures.
  failures integer not null default 0,
  next_try_at timestamptz,
  -- away: the server does not answer; refused: it refused the change; foreign: it has a zone of this name that does not
  -- belong to this deployment.
  problem text constraint zone_copies_problem_check check (problem in ('away', 'refused', 'foreign')),
  constraint zone_copies_pkey primary key (server, domain)
);
create index zone_copies_checked_at_idx on zone_copies (checked_at);
create index zone_copies_domain_idx on zone_copies (domain);

-- Newest serial that was given to a PowerDNS server, recorded before it is sent. A newer serial on the server shows
-- that this database was restored from an earlier state. The sequence does not show this, because it also advances when
-- nothing is published.
create table zone_publications (
  -- Address of the server's API.
  server text constraint zone_publications_pkey primary key,
  serial bigint not null
);
