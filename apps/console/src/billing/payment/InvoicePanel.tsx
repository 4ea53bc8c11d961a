import { unknownAmount, unreadableRows } from '@atoll/contract/wire'
import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatDate, formatPeriod } from '../../kit/format/billing-dates.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { meansOf } from '../shared/means.ts'
import { Panel } from '../shared/Panel.tsx'
import { PdfButtons } from '../shared/PdfButton.tsx'
import { prepayment } from '../shared/prepayment.ts'
import { useZone } from '../shared/use-customer.ts'
import classes from './InvoicePanel.module.css'
import { useOpenedLines } from './use-opened-lines.ts'
import type { Invoice } from './use-payment.ts'

type Item = Invoice['items'][number]

/** Whether readings explain the line: those lines open. */
export function isUsage({ explain }: Item): boolean {
  return explain.rule === 'usage'
}

export interface InvoicePanelProps {
  invoice: Invoice
  /** Under a line of usage that is open. */
  usageOf: (invoiceId: string, line: number) => ReactNode
}

/** The invoice: its items, what a coupon takes, their sum, what paid it and came back, and its files. */
export function InvoicePanel({ invoice, usageOf }: InvoicePanelProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { items, currency, coupon, creditNotes } = invoice
  const payment = invoice.status === 'paid' ? invoice.payment : undefined
  const money = (amount: number) => formatMoney(amount, currency, locale)
  const sumOf = (key: 'amount' | 'discount') => items.reduce((sum, item) => sum + item[key], 0)
  const discount = sumOf('discount')
  const { opened, open } = useOpenedLines()
  const lines = items.filter(isUsage).map(({ line }) => line)
  return (
    <Panel
      title={t('payment.invoice')}
      note={
        lines.length > 1 ? (
          <UnstyledButton className={classes.openAll} onClick={() => open(lines)}>
            {t('payment.openAll')}
          </UnstyledButton>
        ) : (
          invoice.number
        )
      }
    >
      <ul className={classes.items}>
        {items.map((item) => (
          <Line
            key={item.line}
            isOpen={isUsage(item) && opened.includes(item.line)}
            isFirst={item.line === opened[0]}
            onToggle={
              isUsage(item)
                ? (isOpen) => open(isOpen ? [...opened, item.line] : opened.filter((one) => one !== item.line))
                : undefined
            }
            name={[item.priceInfo.productName, item.of].filter(Boolean).join(t('money.dot'))}
            amount={money(item.amount)}
            details={() => usageOf(invoice.invoiceId, item.line)}
          >
            <div className={classes.note}>
              {formatPeriod(item.periodStart, item.periodEnd, zone, locale)}
              {t('money.dot')}
              {t(prepayment(item.productType))}
            </div>
            {item.formula.map((step) => (
              <div key={step} className={classes.note}>
                {step}
              </div>
            ))}
          </Line>
        ))}
        <UnreadableRows of={items} />
        {discount > 0 && unreadableRows(items) === 0 && (
          <li className={classes.line}>
            <span>{coupon ? t('payment.coupon', { code: coupon }) : t('payment.discount')}</span>
            <span className={classes.amount}>{money(-discount)}</span>
          </li>
        )}
      </ul>
      <div className={classes.total}>
        <span>{t('payment.total')}</span>
        <span className={classes.amount}>
          {unreadableRows(items) > 0 ? unknownAmount : money(sumOf('amount') - discount)}
        </span>
      </div>
      {(payment || creditNotes.length > 0) && (
        <ul className={classes.items}>
          {payment && (
            <li className={classes.line}>
              <span className={classes.quiet}>{t('payment.paidBy')}</span>
              <span>{meansOf(payment, t)}</span>
            </li>
          )}
          {creditNotes.map(({ creditNoteId, createAt, toBalance, toPromo, offInvoice }) => (
            <li key={creditNoteId} className={classes.line}>
              <span className={classes.quiet}>
                {t('payment.givenBack', { date: formatDate(createAt, zone, locale) })}
              </span>
              <span className={classes.amount}>{money(toBalance + toPromo + offInvoice)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.files}>
        <PdfButtons invoice={invoice} />
      </div>
    </Panel>
  )
}

interface LineProps {
  name: string
  amount: string
  isOpen: boolean
  /** The first of those that are open: it is scrolled to when the page opens with it. */
  isFirst: boolean
  /** Undefined: there is nothing to open. */
  onToggle: ((isOpen: boolean) => void) | undefined
  details: () => ReactNode
  children: ReactNode
}

function Line({ name, amount, isOpen, isFirst, onToggle, details, children }: LineProps) {
  const ref = useRef<HTMLLIElement>(null)
  const isNamed = useRef(isOpen && isFirst)
  useEffect(() => {
    if (isNamed.current) ref.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <li ref={ref} className={classes.item}>
      <div className={classes.line}>
        {onToggle ? (
          <UnstyledButton className={classes.opener} aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
            <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
            {name}
          </UnstyledButton>
        ) : (
          <span>{name}</span>
        )}
        <span className={classes.amount}>{amount}</span>
      </div>
      {children}
      {isOpen && details()}
    </li>
  )
}
