import { paymentMethodList } from '@atoll/contract/payments'
import { countRows } from '@atoll/contract/wire'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useCall } from '../../../data/use-call.ts'
import { ChangeButton } from '../../../kit/page/ChangeButton.tsx'
import { UnreadableRows } from '../../../kit/table/UnreadableRows.tsx'
import { useText } from '../../../locales/text.ts'
import { CardAdded } from '../../shared/pay-with/CardAdded.tsx'
import { forgetLeft, leaveForCard, readLeft } from '../../shared/pay-with/left-for-card.ts'
import { useAddCard } from '../../shared/use-add-card.ts'
import { BillingCard } from '../card/BillingCard.tsx'
import { useNewestInvoices } from '../card/use-newest-invoices.ts'
import { MethodRow } from './MethodRow.tsx'
import classes from './MethodsCard.module.css'

/** The account's cards: which one is charged, which one stops working soon; adding, replacing, removing. */
export function MethodsCard() {
  const t = useText()
  const query = useCall(paymentMethodList, {})
  const methods = query.data?.methods ?? []
  // Back from adding a card, which a dialog of this page may have been left for: that has choices to restore.
  const [left] = useState(() => {
    const kept = readLeft()
    return kept && Object.keys(kept.choices).length === 0 ? kept : undefined
  })
  useEffect(() => {
    if (left) forgetLeft()
  }, [left])
  const added = left && methods.find(({ id }) => !left.cards.includes(id))
  const leave = () => leaveForCard('/billing', { cards: methods.map(({ id }) => id), choices: {} })
  const { addCard, isPending } = useAddCard(leave)
  const { hasNone } = useNewestInvoices()
  return (
    <BillingCard
      title={t('billing.methods')}
      ruled
      folded={hasNone && countRows(methods) === 0 && t('money.noPaymentMethod')}
      action={
        <ChangeButton
          size="xs"
          leftSection={<IconPlus size={15} stroke={1.6} aria-hidden="true" />}
          loading={isPending}
          onClick={() => addCard('/billing')}
        >
          {t('billing.addCard')}
        </ChangeButton>
      }
      query={query}
      errorTitle={t('billing.methodsError')}
      height={108}
    >
      {({ methods }) =>
        countRows(methods) === 0 ? (
          <div className={classes.none}>
            <b>{t('money.noPaymentMethod')}</b>
            <span>{t('billing.noMethodHelp')}</span>
          </div>
        ) : (
          <>
            {added && (
              <div className={classes.added}>
                <CardAdded card={added} />
              </div>
            )}
            <ul>
              {methods.map((method) => (
                <MethodRow key={method.id} method={method} isNew={method === added} />
              ))}
            </ul>
            <UnreadableRows of={methods} />
          </>
        )
      }
    </BillingCard>
  )
}
