import { paymentMethodList } from '@atoll/contract/payments'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCall } from '../../data/use-call.ts'
import { useText } from '../../locales/text.ts'
import { useAddCard } from '../../money/use-add-card.ts'
import { BillingCard } from '../card/BillingCard.tsx'
import { MethodRow } from './MethodRow.tsx'
import classes from './MethodsCard.module.css'

/** The account's cards: which one is charged, which one stops working soon; adding, replacing, removing. */
export function MethodsCard() {
  const t = useText()
  const { addCard, isPending } = useAddCard()
  return (
    <BillingCard
      title={t('billing.methods')}
      ruled
      action={
        <Button
          size="xs"
          leftSection={<IconPlus size={15} stroke={1.6} aria-hidden="true" />}
          loading={isPending}
          onClick={() => addCard('/billing')}
        >
          {t('billing.addCard')}
        </Button>
      }
      query={useCall(paymentMethodList, {})}
      errorTitle={t('billing.methodsError')}
      height={108}
    >
      {({ methods }) =>
        methods.length === 0 ? (
          <div className={classes.none}>
            <b>{t('money.noPaymentMethod')}</b>
            <span>{t('billing.noMethodHelp')}</span>
          </div>
        ) : (
          <ul>
            {methods.map((method) => (
              <MethodRow key={method.id} method={method} />
            ))}
          </ul>
        )
      }
    </BillingCard>
  )
}
