-- Each PowerDNS is asked and waited for by itself: `zones` and its address.
alter table doubts drop constraint doubts_about_check;
delete from doubts where about = 'zones';
alter table doubts add constraint doubts_about_check
  check (about in ('careful', 'clock', 'gateway', 'zones', 'vault', 'provider') or about like 'zones %');
