import { formatMajorUnits, money } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { InvoiceRow, PaymentRow } from '../records/documents/document-tables.ts'

/** Records what a card was charged for an invoice, or that it was declined; where no card was asked, nothing. */
export async function recordCard(
  trx: Trx,
  action: 'payment.charge' | 'payment.decline',
  { id, userid, currency, card_minor: minor }: PaymentRow,
  { number }: Pick<InvoiceRow, 'number'>,
): Promise<void> {
  if (minor === 0) return
  await recordAudit(trx, {
    actor: 'system',
    ip: null,
    action,
    before: null,
    object: { kind: 'payment', id, owner: userid, name: number },
    after: { amount: formatMajorUnits(money(minor, currency)), currency },
  })
}
