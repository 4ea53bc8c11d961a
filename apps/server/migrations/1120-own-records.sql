-- Records of a domain's owner, which its zone here has beside its hosts: mail, policies and keys.
create table domain_records (
  domain bigint constraint domain_records_domain_fkey references domains (number) on delete cascade,
  -- In full, lower case, without a trailing dot.
  name text,
  type text constraint domain_records_type_check check (type in ('MX', 'TXT', 'CAA', 'CNAME')),
  value text,
  constraint domain_records_pkey primary key (domain, name, type, value)
);

alter table zone_records drop constraint zone_records_type_check;
alter table zone_records add constraint zone_records_type_check
  check (type in ('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'CAA'));
