-- Each provider is asked and waited for by itself, as each PowerDNS is: `provider` and its place.
alter table doubts drop constraint doubts_about_check;
delete from doubts where about = 'provider';
alter table doubts add constraint doubts_about_check
  check (about in ('careful', 'clock', 'gateway', 'vault') or about like 'zones %' or about like 'provider %');
