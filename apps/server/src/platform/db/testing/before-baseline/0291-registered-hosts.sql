-- The names below its own host that a cluster registers; null: its agent does not say, and nothing is ordered below it.
alter table agents add column hosts jsonb;
