import type { Estimate } from '@atoll/contract/billing'
import { IconCreditCardOff, IconPlus } from '@tabler/icons-react'
import { formatMoney } from '../../../kit/format/money.ts'
import { ChangeButton } from '../../../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { useAddCard } from '../use-add-card.ts'
import classes from './NoCard.module.css'

interface NoCardProps {
  estimate: Pick<Estimate, 'toCard' | 'currency'>
  /** Where adding a card leads back to: a path without a query. */
  returnTo: string
  /** Before the page is left. */
  onLeave?: () => void
}

/** That a card is wanting, and the way to one; the order can be placed without, and paid within 24 hours. */
export function NoCard({ estimate: { toCard, currency }, returnTo, onLeave }: NoCardProps) {
  const t = useText()
  const locale = useLocale()
  const { addCard, isPending } = useAddCard(onLeave)
  return (
    <div className={classes.none}>
      <IconCreditCardOff size={20} stroke={1.6} aria-hidden="true" />
      <div className={classes.words}>
        <b>{t('money.noPaymentMethod')}</b>
        <span>{t('create.noCardHelp', { amount: formatMoney(toCard, currency, locale) })}</span>
      </div>
      <ChangeButton
        leftSection={<IconPlus size={16} stroke={1.6} aria-hidden="true" />}
        loading={isPending}
        onClick={() => addCard(returnTo)}
      >
        {t('create.addCard')}
      </ChangeButton>
    </div>
  )
}
