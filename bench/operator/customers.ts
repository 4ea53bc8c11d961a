import { Client } from 'pg'
import { insertSubscribers } from '../billing/month-end-accounts.ts'

/** Invoices of each customer. */
const invoicesEach = 10

/** Customers as rows, each with an ID, a visit, a cluster that runs, a balance and ten invoices; one in 200 owes. */
export async function insertCustomers(databaseUrl: string, count: number): Promise<void> {
  await insertSubscribers(databaseUrl, count, { hasCredit: false })
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const many = `generate_series(1, ${count}) n`
  const userid = `'ac_bench' || lpad(n::text, 15, '0')`
  const did = `'did:key:z6Mk' || lpad(n::text, 44, 'a')`
  const invoice = `'iv_bench' || lpad(i::text, 15, '0')`
  const isOpen = `i % ${200 * invoicesEach} = 0`
  try {
    // Documents have triggers and keys of their own, which the rows of a bench do without.
    await client.query('set session_replication_role = replica')
    await client.query(`insert into dids (did, registered_at) select ${did}, now() from ${many}`)
    await client.query(`insert into names (name, did, bound_at)
      select substr(md5(n::text), 1, 6) || n || '@atoll.test', ${did}, now() from ${many}`)
    await client.query(`insert into account_visits (userid, last_seen_at)
      select ${userid}, now() - n * interval '1 second' from ${many}`)
    await client.query(`update accounts set plan_level = length(did) % 4, currency = case when right(did, 1) = '7'
      then 'cny' else 'usd' end where account_id like 'ac_bench%'`)
    await client.query(`insert into ledger_books (userid, currency, seq, hash, first_hash)
      select ${userid}, 'usd', 0, repeat('0', 64), repeat('0', 64) from ${many}`)
    await client.query(`insert into ledger_balances (book, account, balance_minor)
      select ${userid}, 'cash', -(n * 7919 % 5000) from ${many}`)
    await client.query(`insert into invoices (id, userid, number, kind, currency, gross_minor, discount_minor,
        total_minor, issued_at, recorded_at, state, payment_id, closed_at)
      select ${invoice}, 'ac_bench' || lpad(((i - 1) / ${invoicesEach} + 1)::text, 15, '0'), 'R-' || i, 'renewal',
        'usd', 500 + i % 3000, 0, 500 + i % 3000, at, at, case when ${isOpen} then 'open' else 'paid' end,
        case when ${isOpen} then null else 'py_' || i end, case when ${isOpen} then null else at end
      from generate_series(1, ${count * invoicesEach}) i, lateral (select now() - i % 900 * interval '1 day' as at) moment`)
    await client.query(`insert into dunnings (invoice_id, userid, tries, tried_at, past_due_at)
      select id, userid, 4, now(), now() from invoices where state = 'open'`)
    await client.query('set session_replication_role = origin')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
