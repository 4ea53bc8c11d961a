import { paymentPay } from '@atoll/contract/billing'
import { countRows } from '@atoll/contract/wire'
import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconExternalLink, IconPlus, IconShieldLock } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { ChoiceMenu } from '../../kit/menu/ChoiceMenu.tsx'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { shortCardName } from '../shared/card-names.ts'
import { CardAdded } from '../shared/pay-with/CardAdded.tsx'
import { leaveForCard } from '../shared/pay-with/left-for-card.ts'
import type { PayWith } from '../shared/pay-with/use-pay-with.ts'
import { useAddCard } from '../shared/use-add-card.ts'
import type { Invoice, Payment } from './invoice/use-payment.ts'
import classes from './PaymentPanel.module.css'
import type { PaymentStage } from './payment-stage.ts'
import { useKeepsWay } from './use-after-payment.ts'

interface PayActionsProps {
  invoice: Invoice
  payment: Payment | undefined
  stage: PaymentStage
  /** The amount to pay, minor units. */
  amount: number
  /** A part of it is for a card. */
  needsCard: boolean
  /** Which cards there are, and which of them pays. */
  means: PayWith
}

/** Pay; go on at the bank, or with another card; or add a card first. */
export function PayActions({ invoice, payment, stage, amount, needsCard, means }: PayActionsProps) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { invoiceId, currency } = invoice
  const { methods, method, added } = means
  // A request that was not answered in one state is another request in the next.
  const pay = useCallMutation(paymentPay, {
    state: `${payment?.paymentId} ${payment?.status}`,
    // An order that is paid late has a new invoice.
    onSuccess: (answer) =>
      means.settle(answer, () => {
        if (answer.invoiceId !== invoiceId) {
          keepWay(answer.invoiceId)
          void navigate({ to: '/payment/$id', params: { id: answer.invoiceId }, replace: true })
        }
      }),
  })
  const keepWay = useKeepsWay(invoice, amount)
  const page = `/payment/${invoiceId}`
  const add = useAddCard(() => leaveForCard(page, { cards: methods?.map(({ id }) => id) ?? [], choices: {} }))
  const addCard = () => add.addCard(page)
  function payBy(methodId: string | undefined) {
    keepWay(invoiceId)
    pay.mutate({ invoiceId, ...(methodId && { methodId }) })
  }
  const last = invoice.payments.at(-1)
  const noCard = needsCard && countRows(methods) === 0
  return (
    <div className={classes.actions}>
      {stage === 'approve' && (
        <Notice
          tone="accent"
          icon={<IconShieldLock size={18} stroke={1.6} aria-hidden="true" />}
          title={t('payment.approveTitle')}
        >
          {t('payment.approveText')}
        </Notice>
      )}
      {stage === 'wait' && (
        <Notice role="status" title={t('payment.waitTitle')}>
          {t('payment.waitText')}
        </Notice>
      )}
      {stage === 'pay' && last?.status === 'declined' && (
        <Notice tone="coral" title={t('payment.declinedTitle')}>
          {last.reason}
        </Notice>
      )}
      <FailureNotice error={pay.error} />
      {stage === 'approve' && added && <CardAdded card={added} />}
      {stage !== 'wait' && (
        <div className={classes.buttons}>
          {stage === 'approve' && payment?.actionUrl && (
            <Button
              component="a"
              href={payment.actionUrl}
              onClick={() => keepWay(invoiceId)}
              size="lg"
              variant="filled"
              rightSection={<IconExternalLink size={17} stroke={1.6} aria-hidden="true" />}
            >
              {t('payment.approve')}
            </Button>
          )}
          {stage === 'pay' && noCard && (
            <ChangeButton
              size="lg"
              variant="filled"
              loading={add.isPending}
              leftSection={<IconPlus size={17} stroke={1.6} aria-hidden="true" />}
              onClick={addCard}
            >
              {t('payment.addCard')}
            </ChangeButton>
          )}
          {stage === 'pay' && !noCard && (
            <ChangeButton
              size="lg"
              variant="filled"
              loading={pay.isPending || means.isSettling}
              onClick={() => payBy(needsCard ? method?.id : undefined)}
            >
              {t('payment.pay', { amount: formatMoney(amount, currency, locale) })}
            </ChangeButton>
          )}
          {stage === 'approve' && added && (
            <ChangeButton size="lg" autoFocus loading={pay.isPending} onClick={() => payBy(added.id)}>
              {t('payment.payByCard', { card: shortCardName(added, t) })}
            </ChangeButton>
          )}
          {stage === 'approve' && methods && methods.length > 0 && (
            <ChoiceMenu
              value=""
              choices={[
                ...methods.map((card) => ({ value: card.id, label: shortCardName(card, t) })),
                { value: addValue, label: t('payment.addCard') },
              ]}
              onChoose={(value) => {
                if (value === addValue) addCard()
                else payBy(value)
              }}
              trigger={
                <ChangeButton size="lg" loading={add.isPending || pay.isPending}>
                  {t('payment.otherCard')}
                </ChangeButton>
              }
            />
          )}
        </div>
      )}
    </div>
  )
}

/** No card has it as its id. */
const addValue = '+'
