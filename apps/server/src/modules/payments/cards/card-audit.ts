import type { Trx } from '../../../platform/db/index.ts'
import { type AuditSource, recordAudit } from '../../audit/index.ts'
import type { PaymentMethod } from './card-store.ts'

type Shown = Pick<PaymentMethod, 'id' | 'userid' | 'brand' | 'last4' | 'exp_month' | 'exp_year'>

/** Records what became of a card; `before` is the one whose place it took. */
export async function recordCard(
  trx: Trx,
  source: AuditSource,
  action: 'card.add' | 'card.replace' | 'card.remove' | 'card.setDefault',
  { card, before }: { card: Shown; before?: Shown | undefined },
): Promise<void> {
  await recordAudit(trx, {
    ...source,
    action,
    object: {
      kind: 'card',
      id: card.id,
      owner: card.userid,
      name: `${card.brand.charAt(0).toUpperCase()}${card.brand.slice(1)} ${card.last4}`,
    },
    before: action === 'card.remove' ? factsOf(card) : before ? factsOf(before) : null,
    after: action === 'card.remove' ? null : factsOf(card),
  })
}

function factsOf({ brand, last4, exp_month, exp_year }: Shown) {
  return { cardBrand: brand, cardLast4: last4, cardExpiry: `${String(exp_month).padStart(2, '0')}/${exp_year}` }
}
