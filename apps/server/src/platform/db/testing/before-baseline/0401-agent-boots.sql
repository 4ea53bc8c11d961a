-- Which boots of the agent serve, served and are refused as those of a copied disk: JSON of Boots (agents/boots). Null: it
-- is too old to say which boot it is.
alter table agents add column boots jsonb;
-- Copies of the machine's disk, as its owner is shown them: JSON of MachineCopies (contract). Null: none was noticed.
alter table instances add column copies text;
