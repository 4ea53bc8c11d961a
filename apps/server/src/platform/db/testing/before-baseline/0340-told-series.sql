-- The last series of documents that the claim at the place told of, which this database may have lost.
alter table claims add column series integer not null default 0;
