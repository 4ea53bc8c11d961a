-- oldest program: 0.1.0
alter table client_prefixes
  -- When the account that it is of ended: what is stored there goes, and then the row.
  add column ended_at timestamptz;
