-- What the pages about money list: tries of an invoice, and what moved cash or promotional credit in a book.
create index payments_invoice_id_idx on payments (invoice_id);
create index ledger_entries_customer_idx on ledger_entries (book, seq) where account in ('cash', 'promo');
