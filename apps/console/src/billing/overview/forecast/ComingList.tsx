import type { forecast } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import { formatShortDate } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { UnreadableRows } from '../../../kit/table/UnreadableRows.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { DocumentBadge } from '../../shared/DocumentBadge.tsx'
import { invoiceLooks, lookOf } from '../../shared/document-looks.ts'
import { useZone } from '../../shared/use-customer.ts'
import classes from './ForecastCard.module.css'

/** So much of what comes is named. */
const named = 8

/** The bills that come first. */
export function ComingList({ documents }: Pick<CallData<typeof forecast>, 'documents'>) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  return (
    <>
      <ul className={classes.documents}>
        {documents.slice(0, named).map(({ at, items, state, amount, currency }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what is to come has no other name
          <li key={place}>
            <span className={classes.date}>{formatShortDate(at, zone, locale)}</span>
            <span className={classes.what}>
              {items.map(({ productName }) => productName).join(t('billing.comma'))}
              <UnreadableRows of={items} />
            </span>
            <DocumentBadge look={lookOf(invoiceLooks, state)} bare />
            <span className={classes.amount}>{formatMoney(amount, currency, locale)}</span>
          </li>
        ))}
      </ul>
      <UnreadableRows of={documents} />
    </>
  )
}
