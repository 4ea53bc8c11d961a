import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Trx } from '../../../platform/db/index.ts'
import './document-tables.ts'

/** Crockford's digits: none is taken for another. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 5

/**
 * The next number of the account's invoices, such as `ATL-7K3QD-0010`. Without gaps: it counts only when `trx` commits.
 * The caller holds the account's lock.
 */
export async function takeInvoiceNumber(trx: Trx, userid: string): Promise<string> {
  const known = await countInvoice(trx, userid)
  if (!known) await openAccount(trx, userid)
  const counted = known ?? (await countInvoice(trx, userid))
  if (!counted) throw new Error(`No code was given to the account ${userid}`)
  return `ATL-${counted.code}-${String(counted.invoices).padStart(4, '0')}`
}

async function countInvoice(trx: Trx, userid: string): Promise<{ code: string; invoices: number } | undefined> {
  return await trx
    .updateTable('billing_accounts')
    .set({ invoices: sql<number>`invoices + 1` })
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
      .values({ userid, code, invoices: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const own = await trx.selectFrom('billing_accounts').select('code').where('userid', '=', userid).executeTakeFirst()
    isOpen = own !== undefined
  }
}
