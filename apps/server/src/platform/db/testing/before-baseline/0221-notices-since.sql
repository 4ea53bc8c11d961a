-- Since when it is as the notice says (module billing); null: from before this column was there.
alter table usage_notices add column since timestamptz;
