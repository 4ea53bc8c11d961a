-- A restore may bring back chosen files alone (module backups): which, only its machine can read.

alter table restores drop constraint restores_way_check;
alter table restores add constraint restores_way_check
  check (way in ('newFolder', 'beside', 'replace', 'newCluster', 'drill'));
alter table restores add column choice text
  constraint restores_choice_check check (choice is null or way in ('newFolder', 'beside', 'replace'));
