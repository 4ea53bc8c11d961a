-- After a stop for which no outside clock vouches, what fell due from `due_from` until `since` waits, and nothing else.
alter table doubts drop constraint doubts_about_check;
alter table doubts add constraint doubts_about_check
  check (about in ('careful', 'clock', 'stop', 'gateway', 'vault') or about like 'zones %' or about like 'provider %');
alter table doubts add column due_from timestamptz;
alter table doubts add constraint doubts_due_from_check check ((about = 'stop') = (due_from is not null));
