-- The first copy of an invoice's file in each language, of each way that it stands (paid, void, given back): whoever
-- asks again gets the same bytes, whatever its cluster or its owner is called by then.
create table invoice_files (
  invoice_id text constraint invoice_files_invoice_id_fkey references invoices (id),
  locale text constraint invoice_files_locale_check check (locale in ('en-US', 'zh-CN')),
  stands text,
  userid text not null constraint invoice_files_userid_fkey references accounts (userid),
  bytes bytea not null,
  created_at timestamptz not null,
  constraint invoice_files_pkey primary key (invoice_id, locale, stands)
);
create trigger invoice_files_append_only before update or delete on invoice_files
  for each row execute function audit_refuse();
create trigger invoice_files_no_truncate before truncate on invoice_files
  for each statement execute function audit_refuse();
