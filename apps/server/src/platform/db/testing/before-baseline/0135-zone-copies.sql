-- Where a program beside Atoll answers for zones (PowerDNS): what was last written there (module dns).
create table zone_copies (
  -- Address of the program's API.
  server text not null,
  -- No foreign key: the row stays until the zone is gone there too.
  domain text not null,
  -- Null: not known to be there.
  version bigint,
  -- When it was last compared with the zone.
  checked_at timestamptz,
  -- In a row.
  failures integer not null default 0,
  next_try_at timestamptz,
  problem text constraint zone_copies_problem_check check (problem in ('away', 'refused', 'foreign')),
  constraint zone_copies_pkey primary key (server, domain)
);
create index zone_copies_domain_idx on zone_copies (domain);
create index zone_copies_checked_at_idx on zone_copies (checked_at);
