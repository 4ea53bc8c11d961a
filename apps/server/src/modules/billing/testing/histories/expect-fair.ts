import { createHash, createPublicKey, verify } from 'node:crypto'
import { type StatementCrypto, verifyStatement } from '@atoll/statement'
import { expect } from 'vitest'
import { createSealer } from '../../../../platform/crypto.ts'
import type { Database } from '../../../../platform/db/index.ts'
import { getLimits } from '../../../accounts/account-service.ts'
import { verifyLedger } from '../../../ledger/index.ts'
import { verifyDocuments } from '../../operator/verify-documents.ts'
import { buildStatement } from '../../views/statement/build-statement.ts'
import { keyOf } from '../../views/statement/statement-key-store.ts'

const sealer = createSealer(Buffer.alloc(32, 7))
const statementKey = keyOf(sealer.derive('statement key')).publicKey
const statementCrypto: StatementCrypto = {
  sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  isSigned(text, signature, publicKey) {
    const key = Buffer.from(`302a300506032b6570032100${publicKey}`, 'hex')
    const spki = createPublicKey({ key, format: 'der', type: 'spki' })
    return verify(null, Buffer.from(text), spki, Buffer.from(signature, 'hex'))
  },
}

/**
 * The book verifies, documents bear it out, and the customer's own statement is sound by the customer's own program;
 * gives it.
 */
export async function expectProvable({ db }: Database, userid: string): Promise<string> {
  expect(await verifyLedger(db, { sealer, userid })).toMatchObject({ whole: true })
  expect(await verifyDocuments(db, userid)).toBeUndefined()
  const accounts = { getLimits: (from: typeof db, id: string) => getLimits(() => 16, from, id) }
  const config = { publicUrl: 'https://console.test' }
  const { text } = await buildStatement({ db, clock: { now: () => new Date() }, accounts, sealer, config }, userid)
  const verdict = verifyStatement({ crypto: statementCrypto, text, publicKeys: [statementKey] })
  expect(verdict.sound ? '' : verdict.problem).toBe('')
  return text
}

/**
 * No instance cost more than its price for the time that it was sold for, to one minor unit: what its lines charge,
 * less what was given back of them. And none was had for nothing: an instance's lines follow one another without a gap.
 */
export async function expectFair({ pool }: Database, userid: string, until: Date): Promise<void> {
  const lines = `with lines as (
    select line.*, item.ended_at, invoices.state, least(item.ended_at, line.period_end) as lived_until,
      (line.explain::json ->> 'price')::numeric as price,
      (line.explain::json ->> 'periodSeconds')::numeric as whole
    from invoice_items line join invoices on invoices.id = line.invoice_id join subscription_items item on item.id = line.item_id
    where line.userid = $1 and line.revenue = 'instance' and invoices.state <> 'void')`
  const dear = await pool.query(
    `${lines}, worths as (
      select *, price * greatest(0, extract(epoch from lived_until - period_start)) / whole as worth from lines where state in ('paid', 'open')
    ), charged as (
      select item_id, sum(worth) as worth, sum(amount_minor - discount_minor - coalesce((select sum(back.amount_minor - back.discount_minor)
          from credit_note_items back where back.invoice_id = worths.invoice_id and back.line = worths.line), 0)) as minor
      from worths group by item_id)
    select * from charged where minor > worth + 1`,
    [userid],
  )
  expect(dear.rows).toEqual([])
  const gaps = await pool.query(
    `${lines}, next as (
      select *, lead(period_start, 1, least(ended_at, $2)) over (partition by item_id order by period_start) as followed_at from lines)
    select item_id, period_end, followed_at from next where followed_at > period_end`,
    [userid, until],
  )
  expect(gaps.rows).toEqual([])
}
