import type { PaymentSplit } from '@atoll/contract/billing'
import { currentPaymentInfo } from '@atoll/contract/billing'
import { type PaymentMethod, paymentMethodList } from '@atoll/contract/payments'
import { IconGift, IconReceiptRefund, IconWallet } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useCall } from '../data/use-call.ts'
import { formatMoney } from '../kit/format/money.ts'
import { type TextKey, useLocale, useText } from '../locales/text.ts'
import { CardMark, MeansMark } from '../money/CardMark.tsx'
import { type Card, cardName } from '../money/card-names.ts'
import { TimeLeft } from '../money/TimeLeft.tsx'
import { PayActions } from './PayActions.tsx'
import classes from './PaymentPanel.module.css'
import { type PaymentStage, paymentStage } from './payment-stage.ts'
import type { Invoice, Payment } from './use-payment.ts'

interface PaymentPanelProps {
  invoice: Invoice
  payment: Payment | undefined
}

const figureLabels: Record<PaymentStage, TextKey> = {
  pay: 'payment.toPay',
  approve: 'payment.toPay',
  wait: 'payment.toPay',
  paid: 'payment.paid',
  over: 'payment.amount',
}

/** How much, how long it can be paid, from where it comes, and what to do. */
export function PaymentPanel({ invoice, payment }: PaymentPanelProps) {
  const t = useText()
  const locale = useLocale()
  const stage = paymentStage(invoice, payment)
  const { invoiceId, currency, validUntil, creditNotes } = invoice
  const planned = useCall(currentPaymentInfo, { invoiceId }, { enabled: stage === 'pay' })
  const methods = useCall(paymentMethodList, {}, { enabled: stage === 'pay' || stage === 'approve' }).data?.methods
  const [chosen, choose] = useState<string>()
  const method = methods?.find(({ id }) => id === chosen) ?? methods?.find(({ isDefault }) => isDefault) ?? methods?.[0]
  const split = stage === 'pay' ? planned.data?.split : payment?.split
  const owed = planned.data?.amount ?? invoice.amount - creditNotes.reduce((sum, { offInvoice }) => sum + offInvoice, 0)
  const figure = stage === 'paid' || stage === 'over' ? (payment?.amount ?? invoice.amount) : owed
  const isOpen = stage === 'pay' || stage === 'approve' || stage === 'wait'
  return (
    <section className="box" aria-label={t('payment.title')}>
      <div className={classes.head}>
        <div>
          <div className="small quiet">{t(figureLabels[stage])}</div>
          <div className={classes.figure}>{formatMoney(figure, currency, locale)}</div>
        </div>
        {isOpen && validUntil && <TimeLeft until={validUntil} />}
      </div>
      {split && <SplitRows split={split} stage={stage} card={stage === 'pay' ? method : payment} currency={currency} />}
      {isOpen && (
        <PayActions
          key={stage}
          invoice={invoice}
          payment={payment}
          stage={stage}
          amount={owed}
          needsCard={(planned.data?.split.toCard ?? 0) > 0}
          methods={methods}
          method={method}
          onMethod={choose}
        />
      )}
    </section>
  )
}

interface SplitRowsProps {
  split: Omit<PaymentSplit, 'collected'>
  stage: PaymentStage
  card: Card | PaymentMethod | undefined
  currency: string
}

/** From where it comes, in the order in which it is used; what takes no part has no row. */
function SplitRows({ split, stage, card, currency }: SplitRowsProps) {
  const t = useText()
  const locale = useLocale()
  const isHeld = stage === 'approve' || stage === 'wait'
  const rows: [key: string, amount: number, mark: ReactNode, name: string, note: string | undefined][] = [
    [
      'promo',
      split.fromPromo,
      <MeansMark key="mark">
        <IconGift size={16} stroke={1.6} />
      </MeansMark>,
      t('money.promo'),
      t(isHeld ? 'payment.held' : 'payment.promoNote'),
    ],
    [
      'balance',
      split.fromBalance,
      <MeansMark key="mark">
        <IconWallet size={16} stroke={1.6} />
      </MeansMark>,
      t('money.balance'),
      t(isHeld ? 'payment.held' : 'payment.balanceNote'),
    ],
    [
      'card',
      split.toCard,
      <CardMark key="mark" brand={card?.cardBrand} />,
      card ? cardName(card, t) : t('money.card'),
      stage === 'approve' ? t('payment.cardApprove') : stage === 'wait' ? t('payment.cardWait') : undefined,
    ],
    [
      'rolled',
      split.rolledOver,
      <MeansMark key="mark">
        <IconReceiptRefund size={16} stroke={1.6} />
      </MeansMark>,
      t('money.nextBill'),
      t('payment.rolledNote'),
    ],
  ]
  return (
    <ul className={classes.split} aria-label={t('payment.splitLabel')}>
      {rows
        .filter(([, amount]) => amount > 0)
        .map(([key, amount, mark, name, note]) => (
          <li key={key} className={classes.row}>
            {mark}
            <div className="grow">
              <div className="strong">{name}</div>
              {note && <div className={classes.note}>{note}</div>}
            </div>
            <span className={classes.amount}>{formatMoney(amount, currency, locale)}</span>
          </li>
        ))}
    </ul>
  )
}
