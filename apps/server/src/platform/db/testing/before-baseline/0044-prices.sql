-- What was sold, by the hash of its terms: written at the first sale of those terms and never changed, whatever the
-- catalogue says later. What is kept of a subscription, an item of an invoice or a period refers to a row here.
create table prices (
  id text constraint prices_pkey primary key constraint prices_id_check check (id ~ '^price_[0-9a-f]{64}$'),
  -- JSON text, kept letter for letter because it is what is hashed.
  terms text not null,
  created_at timestamptz not null
);
create trigger prices_append_only before update or delete on prices for each row execute function audit_refuse();
create trigger prices_no_truncate before truncate on prices for each statement execute function audit_refuse();
