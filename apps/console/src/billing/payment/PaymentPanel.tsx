import type { PaymentSplit } from '@atoll/contract/billing'
import { currentPaymentInfo } from '@atoll/contract/billing'
import { unreadableRows } from '@atoll/contract/wire'
import { Notice } from '@atoll/ui'
import { IconGift, IconReceiptRefund, IconWallet } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCall } from '../../data/use-call.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { formatTotal } from '../../kit/format/total.ts'
import { type TextKey, useLocale, useText } from '../../locales/text.ts'
import { CardMark, MeansMark } from '../shared/CardMark.tsx'
import { type Card, cardName } from '../shared/card-names.ts'
import { KeptUntil } from '../shared/KeptUntil.tsx'
import { PayWith } from '../shared/pay-with/PayWith.tsx'
import { usePayWith } from '../shared/pay-with/use-pay-with.ts'
import { TimeLeft } from '../shared/TimeLeft.tsx'
import type { Invoice, Payment } from './invoice/use-payment.ts'
import { PayActions } from './PayActions.tsx'
import classes from './PaymentPanel.module.css'
import { type PaymentStage, paymentStage } from './payment-stage.ts'

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
  const means = usePayWith(stage === 'pay' || stage === 'approve')
  const returnTo = useLocation().pathname
  const renewsAt = planned.data?.subscriptionUpdateInfo?.periodEnd
  const owed = planned.data?.amount ?? invoice.amount - creditNotes.reduce((sum, { offInvoice }) => sum + offInvoice, 0)
  // Deductions are a sum over rows, until the plan of the payment says how much is left.
  const parts = planned.data ? [] : [creditNotes]
  const isSure = parts.every((list) => unreadableRows(list) === 0)
  const isPast = stage === 'paid' || stage === 'over'
  const isOpen = stage === 'pay' || stage === 'approve' || stage === 'wait'
  return (
    <section className="box" aria-label={t('payment.title')}>
      <div className={classes.head}>
        <div>
          <div className="small quiet">{t(figureLabels[stage])}</div>
          <div className={classes.figure}>
            {isPast
              ? formatMoney(payment?.amount ?? invoice.amount, currency, locale)
              : formatTotal(owed, parts, { currency, locale })}
          </div>
        </div>
        {isOpen && validUntil && (
          <TimeLeft until={validUntil}>
            <KeptUntil until={validUntil} />
          </TimeLeft>
        )}
      </div>
      {stage === 'pay' && planned.data && (
        <div className={classes.means}>
          <PayWith
            estimate={{ ...planned.data.split, currency }}
            means={means}
            {...(renewsAt !== undefined && { renewsAt: new Date(renewsAt * 1000).toISOString() })}
            returnTo={returnTo}
            withoutCard={
              <Notice tone="amber" title={t('money.noPaymentMethod')}>
                {t('payment.noCardText')}
              </Notice>
            }
          />
        </div>
      )}
      {stage !== 'pay' && payment && (
        <SplitRows split={payment.split} stage={stage} card={payment} currency={currency} />
      )}
      {isOpen && isSure && (
        <PayActions
          key={stage}
          invoice={invoice}
          payment={payment}
          stage={stage}
          amount={owed}
          needsCard={(planned.data?.split.toCard ?? 0) > 0}
          means={means}
        />
      )}
    </section>
  )
}

interface SplitRowsProps {
  split: Omit<PaymentSplit, 'collected'>
  stage: PaymentStage
  card: Card
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
      isHeld ? t('payment.held') : undefined,
    ],
    [
      'balance',
      split.fromBalance,
      <MeansMark key="mark">
        <IconWallet size={16} stroke={1.6} />
      </MeansMark>,
      t('money.balance'),
      isHeld ? t('payment.held') : undefined,
    ],
    [
      'card',
      split.toCard,
      <CardMark key="mark" brand={card.cardBrand} />,
      cardName(card, t),
      stage === 'approve' ? t('payment.cardApprove') : stage === 'wait' ? t('payment.cardWait') : undefined,
    ],
    [
      'rolled',
      split.rolledOver,
      <MeansMark key="mark">
        <IconReceiptRefund size={16} stroke={1.6} />
      </MeansMark>,
      t('money.nextBill'),
      t('money.rolledNote'),
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
