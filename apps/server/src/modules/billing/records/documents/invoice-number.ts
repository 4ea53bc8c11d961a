import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { countResumptions, findHold } from '../../../../platform/careful/index.ts'
import type { Trx } from '../../../../platform/db/index.ts'
import './document-tables.ts'

/** Crockford's digits: none is taken for another. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 5
/** Series of doubtful times, far from those that are counted. */
const [leastDrawn, mostDrawn] = [100_000_000, 999_999_999]

/**
 * The next number of the account's invoices, such as `ATL-7K3QD-0010`, or `ATL-7K3QD-R1-0001` of the series that begins
 * with a resumption: numbers from after the copy was made were given once already. Without gaps within a series: it
 * counts only when `trx` commits. The caller holds the account's lock.
 *
 * While this database may have been brought back from a copy, nothing here says which numbers were given: the invoice
 * then is the only one of a series that is drawn by lot, `ATL-7K3QD-R582046173-0001`.
 */
export async function takeInvoiceNumber(trx: Trx, userid: string): Promise<string> {
  if (await isDoubtful(trx)) {
    const drawn = randomInt(leastDrawn, mostDrawn + 1)
    return `ATL-${await codeOf(trx, userid)}-R${drawn}-0001`
  }
  const series = await countResumptions(trx)
  const known = await countInvoice(trx, userid, series)
  if (!known) await openAccount(trx, userid)
  const counted = known ?? (await countInvoice(trx, userid, series))
  if (!counted) throw new Error(`No code was given to the account ${userid}`)
  const number = String(counted.invoices).padStart(4, '0')
  return series === 0 ? `ATL-${counted.code}-${number}` : `ATL-${counted.code}-R${series}-${number}`
}

/** Restored, or started a moment ago: the gateway has yet to say that it took nothing which is not known here. */
async function isDoubtful(trx: Trx): Promise<boolean> {
  return (await findHold(trx, { waits: 'careful', source: 'gateway' })) !== undefined
}

async function codeOf(trx: Trx, userid: string): Promise<string> {
  await openAccount(trx, userid)
  const { code } = await trx
    .selectFrom('billing_accounts')
    .select('code')
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow()
  return code
}

async function countInvoice(
  trx: Trx,
  userid: string,
  series: number,
): Promise<{ code: string; invoices: number } | undefined> {
  return await trx
    .updateTable('billing_accounts')
    .set({ invoices: sql<number>`case when series = ${series} then invoices + 1 else 1 end`, series })
    .where('userid', '=', userid)
    .returning(['code', 'invoices'])
    .executeTakeFirst()
}

/** Gives the account its code, once; another account's is tried again, of 33 million. */
async function openAccount(trx: Trx, userid: string): Promise<void> {
  for (let isOpen = false; !isOpen; ) {
    const code = Array.from({ length: codeLength }, () => digits.charAt(randomInt(digits.length))).join('')
    await trx
      .insertInto('billing_accounts')
      .values({ userid, code, invoices: 0, series: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const own = await trx.selectFrom('billing_accounts').select('code').where('userid', '=', userid).executeTakeFirst()
    isOpen = own !== undefined
  }
}
