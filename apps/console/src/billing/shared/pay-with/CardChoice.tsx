import type { PaymentMethod } from '@atoll/contract/payments'
import { ChoiceCard } from '../../../kit/form/ChoiceCard.tsx'
import { formatShortDate } from '../../../kit/format/billing-dates.ts'
import { Tag } from '../../../kit/page/Tag.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { CardMark } from '../CardMark.tsx'
import { cardName } from '../card-names.ts'
import { useZone } from '../use-customer.ts'
import { cardExpiry, isGoodAt } from './card-expiry.ts'
import classes from './PayWith.module.css'

interface CardChoiceProps {
  card: PaymentMethod
  /** Name of the group of which one is chosen. */
  group: string
  chosen: boolean
  onChoose: () => void
  /** It was added just now. */
  isNew: boolean
  /** The amount that the card would be charged. */
  amount: string
  /** When it would be charged again, ISO 8601. */
  renewsAt: string | undefined
}

/** A card that can pay: whether it expires before the renewal or was declined lately. That one can be chosen too. */
export function CardChoice({ card, group, chosen, onChoose, isNew, amount, renewsAt }: CardChoiceProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { lastDeclinedAt, isDefault, state } = card
  const month = cardExpiry(card)
  const date = (at: string) => formatShortDate(at, zone, locale)
  const isExpired = state === 'expired'
  const isShort = renewsAt !== undefined && !isGoodAt(card, Date.parse(renewsAt))
  return (
    <ChoiceCard group={group} value={card.id} mark="left" chosen={chosen} onChoose={onChoose} takesFocus={isNew}>
      <span className={classes.card} data-declined={lastDeclinedAt === null ? undefined : true}>
        <CardMark brand={card.cardBrand} />
        <span className="grow">
          <span className={classes.name}>
            {cardName(card, t)} {isDefault && <Tag>{t('money.defaultCard')}</Tag>}
          </span>
          <span
            className={classes.note}
            data-tone={(isExpired || isShort) && lastDeclinedAt === null ? 'amber' : undefined}
          >
            {lastDeclinedAt !== null
              ? t('money.cardDeclined', { date: date(lastDeclinedAt) })
              : isExpired
                ? t('money.cardExpired', { month })
                : isShort
                  ? t('money.cardExpiresBefore', { month, date: date(renewsAt) })
                  : t('money.cardExpires', { month })}
          </span>
        </span>
        {chosen && <span className={classes.amount}>{amount}</span>}
      </span>
    </ChoiceCard>
  )
}
