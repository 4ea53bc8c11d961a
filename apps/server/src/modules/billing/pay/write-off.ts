import { formatMajorUnits, type Money } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import type { InvoiceRow } from '../records/documents/document-tables.ts'
import { getDue } from '../records/documents/invoice-due.ts'
import { closeInvoice } from '../records/documents/invoice-store.ts'

/** Writes off the unpaid part of a bill; undefined for a paid one. */
export async function writeOff(trx: Trx, invoice: InvoiceRow, at: Date): Promise<Money | undefined> {
  if (invoice.state !== 'open') return undefined
  const { id, userid } = invoice
  const amount = await getDue(trx, invoice)
  const facts = { amount }
  const round = invoice.reopened === 0 ? '' : ` ${invoice.reopened}`
  await postToLedger(trx, { userid, at, document: id, key: `${id} givenUp${round}`, kind: 'write_off', facts })
  await closeInvoice(trx, invoice, 'givenUp', { at })
  await recordAudit(trx, {
    ...({ actor: 'system', ip: null, action: 'invoice.giveUp' } as const),
    object: { kind: 'invoice', id, owner: userid, name: invoice.number },
    after: { amount: formatMajorUnits(amount), currency: amount.currency },
  })
  return amount
}
