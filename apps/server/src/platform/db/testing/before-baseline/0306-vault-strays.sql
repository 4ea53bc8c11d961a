-- Files in the vault that no row names are strays as well.
alter table strays drop constraint strays_kind_check;
alter table strays add constraint strays_kind_check check (kind in ('instance', 'zone', 'files'));
