-- Which file an upload is for (module vault): while it is under way nobody removes what lies at that place, so its
-- bytes may be put there without holding a transaction. Null: begun by a vault of before.
alter table vault_uploads add column type text, add column name text;
