import { type RawBuilder, sql } from 'kysely'
import { type Db, inSnapshot, type Trx } from '../../../platform/db/index.ts'
import { balances, postedEntries, postings } from '../../ledger/index.ts'
import '../records/documents/document-tables.ts'

/** A document that the ledger does not bear out: its table, its id, and what is wrong. */
export interface BadDocument {
  table: string
  id: string
  problem: string
}

/** Sum posted under a key on accounts whose name begins with `account`; with the sign of the documents. */
function posted(key: RawBuilder<unknown>, account: string, sign: 1 | -1 = 1): RawBuilder<number> {
  return sql<number>`(select coalesce(${sign}::int * sum(posting.amount_minor), 0) from ${postedEntries} posting
    where posting.key = ${key} and posting.book = doc.userid and posting.account like ${`${account}%`})`
}
const key = (suffix: string) => sql`doc.id || ${` ${suffix}`}`
const hasKey = (suffix: string) => sql`exists (select from ${postings} posting where posting.key = ${key(suffix)})`
/** Amount that left an invoice's receivable when it was paid, over all its payments. */
const settled = sql`(select coalesce(-sum(posting.amount_minor), 0) from payments
  join ${postedEntries} posting on posting.key in (payments.id || ' paid', payments.id || ' rolled')
  where payments.invoice_id = doc.id and payments.state = 'succeeded' and posting.book = doc.userid
    and posting.account = 'receivable')`
/** Sum of postings about disputes on an account; `of` selects the postings. */
const disputed = (of: RawBuilder<unknown>, account: string) => sql`(select coalesce(sum(posting.amount_minor), 0)
  from ${postedEntries} posting
  where posting.book = doc.userid and ${of} and posting.account like ${`${account}%`}
    and posting.kind in ('dispute', 'dispute_lost', 'dispute_returned'))`
const byItself = sql`posting.document = doc.id`
const ofInvoice = sql`posting.document in (select disputes.id from disputes join payments on payments.id = payment_id
  where payments.invoice_id = doc.id)`

/** Amount credited on an invoice while it was owed. */
const credited = sql`(select coalesce(sum(receivable_minor), 0) from credit_notes where invoice_id = doc.id)`

/** Each names the documents that break it; `doc` is the document. */
const rules: readonly { table: string; problem: string; broken: RawBuilder<unknown> }[] = [
  {
    table: 'invoices',
    problem: 'its items do not add up to it',
    broken: sql`not exists (select from invoice_items where invoice_id = doc.id
      having sum(amount_minor) = doc.gross_minor and sum(discount_minor) = doc.discount_minor)`,
  },
  {
    table: 'invoices',
    problem: 'it is not what was posted when it was issued',
    broken: sql`gross_minor <> ${posted(key('issued'), 'revenue:', -1)}
      or discount_minor <> ${posted(key('issued'), 'discount')}
      or total_minor <> ${posted(key('issued'), 'receivable')}`,
  },
  {
    table: 'invoices',
    problem: 'it is void, or was voided in the ledger, but not both',
    broken: sql`(state = 'void') <> ${hasKey('void')}`,
  },
  {
    table: 'invoices',
    problem: 'what paid it is not what it says',
    broken: sql`case when state = 'paid' then total_minor + lost_minor - ${credited} <> ${settled}
        when reopened > 0 then total_minor + lost_minor - ${credited} < ${settled} else ${settled} <> 0 end
      or payment_id is distinct from (case when state = 'paid' then (select id from payments
        where invoice_id = doc.id and payments.state = 'succeeded' order by round desc limit 1) end)`,
  },
  {
    table: 'invoices',
    problem: 'what banks took back of what had paid it is not what it says',
    broken: sql`lost_minor <> ${disputed(ofInvoice, 'receivable')}`,
  },
  {
    table: 'payments',
    problem: 'what was set aside for it is not what it says',
    broken: sql`balance_minor <> ${posted(key('hold'), 'cash')} or promo_minor <> ${posted(key('hold'), 'promo')}`,
  },
  {
    table: 'payments',
    problem: 'what was set aside for it was given back, or not, against its state',
    broken: sql`(state in ('declined', 'canceled') and promo_minor + balance_minor > 0) <> ${hasKey('release')}`,
  },
  {
    table: 'payments',
    problem: 'what it took of the card is not what it says',
    broken: sql`case when state = 'succeeded' then card_minor else 0 end
      <> ${posted(key('paid'), 'gateway:')} + ${posted(key('collected'), 'gateway:')}`,
  },
  {
    table: 'card_refunds',
    problem: 'what was set aside for it, or given back, is not what it says',
    broken: sql`case when is_foreign then 0 else amount_minor end <> ${posted(key('hold'), 'cash')}
      or (state = 'declined' or state <> 'pending' and not is_foreign and not is_from_held) <> ${hasKey('release')}`,
  },
  {
    table: 'card_refunds',
    problem: 'what went to the card is not what it says',
    broken: sql`case when state in ('done', 'returned') then amount_minor else 0 end
        <> ${posted(key('refunded'), 'gateway:', -1)}
      or case when state = 'returned' then amount_minor else 0 end <> ${posted(key('returned'), 'gateway:')}`,
  },
  {
    table: 'adopted_captures',
    problem: 'what it took is not what was posted when it was adopted',
    broken: sql`amount_minor <> ${posted(key('late'), 'gateway:')}`,
  },
  {
    table: 'disputes',
    problem: 'what is withdrawn or lost of it is not what was posted',
    broken: sql`withdrawn_minor <> -${disputed(byItself, 'gateway:')}
      or withdrawn_minor - lost_minor - lost_cash_minor <> ${disputed(byItself, 'disputed')}`,
  },
  {
    table: 'credit_notes',
    problem: 'it is not what was posted when it was issued',
    broken: sql`cash_minor <> ${posted(key('issued'), 'cash', -1)} or promo_minor <> ${posted(key('issued'), 'promo', -1)}
      or receivable_minor <> ${posted(key('issued'), 'receivable', -1)}`,
  },
]

/** The document of each kind of posting, and where it may be kept. */
const documents: readonly { kinds: string[]; tables: [string, ...string[]] }[] = [
  { kinds: ['invoice', 'void', 'pay', 'roll', 'collect'], tables: ['invoices'] },
  { kinds: ['hold', 'release'], tables: ['payments', 'card_refunds'] },
  { kinds: ['late_capture'], tables: ['payments', 'adopted_captures'] },
  { kinds: ['card_refund', 'refund_returned'], tables: ['card_refunds'] },
  { kinds: ['dispute', 'dispute_lost', 'dispute_returned'], tables: ['disputes'] },
  { kinds: ['credit_note'], tables: ['credit_notes'] },
  { kinds: ['grant', 'lapse'], tables: ['promo_grants'] },
]

/**
 * Holds documents to the ledger: each says what was posted for it, what was posted has its document, and what is left
 * of promotional credit is what the book says. Answers the first that does not; reads only.
 */
export async function verifyDocuments(db: Db, userid?: string | undefined): Promise<BadDocument | undefined> {
  return await inSnapshot(db, async (trx) => (await findBroken(trx, userid)) ?? (await findUndocumented(trx, userid)))
}

async function findBroken(trx: Trx, userid: string | undefined): Promise<BadDocument | undefined> {
  for (const { table, problem, broken } of rules) {
    const { rows } = await sql<{ id: string }>`select doc.id from ${sql.table(table)} doc
      where (${broken}) and userid = coalesce(${userid ?? null}, userid) order by doc.id limit 1`.execute(trx)
    const [found] = rows
    if (found) return { table, id: found.id, problem }
  }
  return undefined
}

async function findUndocumented(trx: Trx, userid: string | undefined): Promise<BadDocument | undefined> {
  for (const { kinds, tables } of documents) {
    const kept = tables.map(
      (table) =>
        sql`exists (select from ${sql.table(table)} doc where doc.id = posting.document and doc.userid = posting.book)`,
    )
    const { rows } = await sql<{ id: string; place: string }>`
      select document as id, book || ' ' || seq as place from ${postings} posting
      where kind = any(${kinds}::text[]) and book = coalesce(${userid ?? null}, book)
        and not (${sql.join(kept, sql` or `)})
      order by book, seq limit 1`.execute(trx)
    const [found] = rows
    if (found)
      return {
        table: tables[0],
        id: found.id,
        problem: `transaction ${found.place} is about it, and it does not exist`,
      }
  }
  const { rows } = await sql<{ id: string }>`
    select book as id from ${balances} balance
    where account = 'promo' and book = coalesce(${userid ?? null}, book) and -balance_minor <> (
      select coalesce(sum(left_minor), 0) from promo_grants where userid = book)
    order by book limit 1`.execute(trx)
  const [found] = rows
  return found && { table: 'promo_grants', id: found.id, problem: 'what is left of them is not what the book says' }
}
