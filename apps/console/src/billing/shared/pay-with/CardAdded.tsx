import type { PaymentMethod } from '@atoll/contract/payments'
import { Notice } from '@atoll/ui'
import { useText } from '../../../locales/text.ts'
import { cardName } from '../card-names.ts'

/** That the gateway's page added a card, beside it. */
export function CardAdded({ card }: { card: PaymentMethod }) {
  const t = useText()
  return <Notice tone="green" role="status" title={t('money.cardAdded', { card: cardName(card, t) })} />
}
