-- oldest program: 0.1.0
-- The newest serial that was given to a PowerDNS, written before it is: one that is newer there shows that this
-- database is older. The counter of serials does not: it goes on while nothing is published.
create table zone_publications (
  -- Address of the program's API.
  server text not null constraint zone_publications_pkey primary key,
  serial bigint not null
);
insert into zone_publications (server, serial)
  select distinct server, (select last_value from zone_versions) from zone_copies;
