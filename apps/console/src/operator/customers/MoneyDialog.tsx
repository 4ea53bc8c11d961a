import '@mantine/core/styles/SegmentedControl.layer.css'
import { type CustomerDetail, creditKinds, customerCredit, customerRefund, refundWays } from '@atoll/contract/staff'
import { displayName, minorUnitsPerUnit } from '@atoll/contract/wire'
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'

interface MoneyDialogProps {
  customer: CustomerDetail
  onClose: () => void
}

const refundWords = {
  card: 'operator.toCard',
  balance: 'operator.toBalance',
  payout: 'operator.payout',
} as const

/** Minor units of what was typed; NaN: it is no amount. */
function minorOf(text: string): number {
  return /^\d{1,7}([.,]\d{1,2})?$/.test(text.trim())
    ? Math.round(Number(text.trim().replace(',', '.')) * minorUnitsPerUnit)
    : Number.NaN
}

/** Credit to the balance, promotional credit, or what a payment paid back, with a credit note. */
export function MoneyDialog({ customer, onClose }: MoneyDialogProps) {
  const t = useText()
  const locale = useLocale()
  const payments = customer.payments.filter(({ toCard, creditable }) => toCard > 0 || creditable > 0)
  const [way, setWay] = useState<'cash' | 'promo' | 'refund'>('cash')
  const [typed, setTyped] = useState('')
  const [paymentId, setPayment] = useState(payments[0]?.paymentId ?? '')
  const [to, setTo] = useState<(typeof refundWays)[number]>('card')
  const payment = payments.find((each) => each.paymentId === paymentId)
  const currency = customer.currency ?? 'usd'
  const name = displayName(customer.person)
  const amount = minorOf(typed)
  const common = {
    onClose,
    title: t('operator.moneyTitle', { id: name }),
    lead: t(way !== 'refund' ? 'operator.creditText' : to === 'payout' ? 'operator.payoutText' : 'operator.refundText'),
  }
  const mosts = payment && {
    card: Math.min(payment.toCard, payment.creditable),
    balance: payment.creditable,
    payout: Math.min(payment.toCard, Math.max(customer.balance ?? 0, 0)),
  }
  const fields = (problems: Partial<Record<string, string>>) => (
    <>
      <SegmentedControl
        aria-label={t('operator.way')}
        value={way}
        onChange={(value) => setWay((['cash', 'promo', 'refund'] as const).find((each) => each === value) ?? 'cash')}
        data={[
          { value: 'cash', label: t('operator.toBalance') },
          { value: 'promo', label: t('operator.asPromo') },
          { value: 'refund', label: t('operator.refund'), disabled: payments.length === 0 },
        ]}
      />
      {way === 'refund' && (
        <>
          <NativeSelect
            label={t('operator.payment')}
            value={paymentId}
            onChange={(event) => setPayment(event.currentTarget.value)}
            data={payments.map((each) => ({
              value: each.paymentId,
              label: t('operator.paymentOf', {
                number: each.number,
                amount: formatMoney(each.card, each.currency, locale),
              }),
            }))}
          />
          <SegmentedControl
            aria-label={t('operator.refundTo')}
            value={to}
            onChange={(value) => setTo(refundWays.find((each) => each === value) ?? 'card')}
            data={refundWays.map((each) => ({ value: each, label: t(refundWords[each]) }))}
          />
        </>
      )}
      <TextInput
        label={t('operator.amountIn', { currency: currency.toUpperCase() })}
        error={problems['amount']}
        description={
          way === 'refund' && mosts && !problems['amount']
            ? t('operator.mostNow', { amount: formatMoney(mosts[to], currency, locale) })
            : undefined
        }
        value={typed}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </>
  )
  const asked = { amount: Number.isNaN(amount) ? typed : amount }
  const asks = { name, ...(Number.isNaN(amount) ? {} : { amount, currency }) }
  return way === 'refund' ? (
    <ActDialog
      {...common}
      act="refund"
      call={customerRefund}
      fields={{ paymentId, way: to, ...asked }}
      asks={{ ...asks, object: `${to} ${payment?.number ?? ''}` }}
    >
      {fields}
    </ActDialog>
  ) : (
    <ActDialog
      {...common}
      act="credit"
      call={customerCredit}
      fields={{
        accountId: customer.person.accountId,
        kind: creditKinds.find((kind) => kind === way) ?? 'cash',
        ...asked,
      }}
      asks={{ ...asks, object: way }}
    >
      {fields}
    </ActDialog>
  )
}
