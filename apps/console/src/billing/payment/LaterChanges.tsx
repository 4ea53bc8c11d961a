import { formatDate } from '../../kit/format/billing-dates.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { Panel } from '../shared/Panel.tsx'
import { useZone } from '../shared/use-customer.ts'
import classes from './invoice/InvoicePanel.module.css'
import type { Invoice } from './invoice/use-payment.ts'

/** Later refunds of an invoice: time, lines, and destination. */
export function LaterChanges({ invoice }: { invoice: Invoice }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { creditNotes, items, currency } = invoice
  if (creditNotes.length === 0) return null
  const nameOfLine = (line: number) => items.find((item) => item.line === line)?.priceInfo.productName
  return (
    <Panel title={t('payment.later')}>
      <ul className={classes.items}>
        {creditNotes.map((note) => {
          const { creditNoteId, createAt, toBalance, toPromo, offInvoice, reason } = note
          const names = [...new Set(note.items.map(({ line }) => nameOfLine(line)))].filter(
            (name) => name !== undefined,
          )
          const ways = [
            toBalance > 0 && t('payment.toBalance'),
            toPromo > 0 && t('payment.toPromo'),
            offInvoice > 0 && t('payment.offInvoice'),
          ].filter((way) => way !== false)
          return (
            <li key={creditNoteId} className={classes.line}>
              <span>
                {t('payment.givenBack', { date: formatDate(createAt, zone, locale) })}
                <span className={classes.note}>
                  {[reason ?? names.join(t('money.listSeparator')), ways.join(t('money.listSeparator'))]
                    .filter((text) => text !== '')
                    .join(t('money.dot'))}
                </span>
                <UnreadableRows of={note.items} />
              </span>
              <span className={classes.amount}>
                {formatMoney(-(toBalance + toPromo + offInvoice), currency, locale)}
              </span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
