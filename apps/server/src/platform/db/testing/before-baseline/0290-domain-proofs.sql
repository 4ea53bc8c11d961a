-- A proof lasts no longer than control of the name: since when a claim that is not bound shows neither its record nor,
-- at a delegated apex, our name servers. Null: seen when it was looked up last, or not looked up yet.
alter table domains add column unseen_since timestamptz;
alter table domains add constraint domains_unseen_check check (unseen_since is null or proven_at is not null);
