import { unreadableRows } from '@atoll/contract/wire'
import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatPeriod } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { UnreadableRows } from '../../../kit/table/UnreadableRows.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { prepayment } from '../../shared/prepayment.ts'
import { useZone } from '../../shared/use-customer.ts'
import { CouponTakes } from './CouponTakes.tsx'
import classes from './InvoiceLines.module.css'
import { type Item, isUsage, nameOf } from './invoice-item.ts'
import { UsageSum } from './UsageSum.tsx'
import { useOpenedLines } from './use-opened-lines.ts'
import type { Invoice } from './use-payment.ts'

/** Items are counted from 1; this is what the coupon takes. */
const couponLine = 0

/** Opens all lines that open; nothing where that is one. */
export function OpenAll({ items }: { items: readonly Item[] }) {
  const t = useText()
  const { open } = useOpenedLines()
  const lines = items.filter(isUsage).map(({ line }) => line)
  if (lines.length < 2) return null
  return (
    <UnstyledButton className={classes.openAll} onClick={() => open(lines)}>
      {t('payment.openAll')}
    </UnstyledButton>
  )
}

export interface InvoiceLinesProps {
  invoice: Invoice
  /** Under a line of usage that is open. */
  usageOf: (invoiceId: string, line: number) => ReactNode
}

/** An invoice's items, each with the derivation of its amount and the coupon's deduction. */
export function InvoiceLines({ invoice, usageOf }: InvoiceLinesProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { items, currency, coupon } = invoice
  const money = (amount: number) => formatMoney(amount, currency, locale)
  const discount = items.reduce((sum, item) => sum + item.discount, 0)
  const { opened, open } = useOpenedLines()
  const toggle = (line: number) => (isOpen: boolean) =>
    open(isOpen ? [...opened, line] : opened.filter((one) => one !== line))
  return (
    <ul className={classes.items}>
      {items.map((item) => {
        const isOpen = isUsage(item) && opened.includes(item.line)
        const sum = isOpen ? item.sum : undefined
        return (
          <Line
            key={item.line}
            isOpen={isOpen}
            isFirst={item.line === opened[0]}
            onToggle={isUsage(item) ? toggle(item.line) : undefined}
            name={nameOf(item, t)}
            amount={money(item.amount)}
            details={() => usageOf(invoice.invoiceId, item.line)}
          >
            <div className={classes.note}>
              {formatPeriod(item.periodStart, item.periodEnd, zone, locale)}
              {t('money.dot')}
              {t(prepayment(item.productType))}
            </div>
            {sum && <UsageSum item={item} sum={sum} />}
            {stepsBut(item, sum).map((step) => (
              <div key={step} className={classes.note}>
                {step}
              </div>
            ))}
          </Line>
        )
      })}
      <UnreadableRows of={items} />
      {discount > 0 && unreadableRows(items) === 0 && (
        <Line
          isOpen={opened.includes(couponLine)}
          isFirst={opened[0] === couponLine}
          onToggle={toggle(couponLine)}
          name={coupon ? t('payment.coupon', { code: coupon }) : t('payment.discount')}
          amount={money(-discount)}
          details={() => <CouponTakes items={items} currency={currency} />}
        />
      )}
    </ul>
  )
}

/** The sentences of the formula, without the one whose figures stand in the box. */
function stepsBut({ formula, explain }: Item, sum: Item['sum']): string[] {
  if (!sum) return formula
  const at = explain.rule === 'usage' && explain.correction ? 1 : 0
  return formula.filter((_, index) => index !== at)
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
  children?: ReactNode
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
