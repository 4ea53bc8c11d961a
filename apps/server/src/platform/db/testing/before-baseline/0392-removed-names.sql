-- An ID that the owner of its domain ended: nobody takes it for a year, unless the owner gives it away.
alter table name_history add column is_removal boolean not null default false;
