import type { forecast } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import { formatShortDate } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { DocumentBadge } from '../../shared/DocumentBadge.tsx'
import { invoiceLooks, lookOf } from '../../shared/document-looks.ts'
import { useZone } from '../../shared/use-customer.ts'
import card from '../card/BillingCard.module.css'
import { comingOf } from './coming.ts'
import classes from './ForecastCard.module.css'

/** So much of what comes is named. */
const named = 8

/** The bills that come first with the mails about them, and where those go. */
export function ComingList({ documents, mails }: CallData<typeof forecast>) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const comma = t('billing.comma')
  const [first] = mails
  return (
    <>
      <ul className={classes.documents}>
        {comingOf(documents, mails)
          .slice(0, named)
          .map(({ at, document, mails: kinds }, place) => {
            const mailText = t('billing.forecastMail', {
              mails: kinds.map((kind) => t(`billing.mailKind.${kind}`)).join(comma),
            })
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: what is to come has no other name
              <li key={place}>
                <span className={classes.date}>{formatShortDate(at, zone, locale)}</span>
                {document ? (
                  <>
                    <span className={classes.what}>
                      {document.items.map(({ productName }) => productName).join(comma)}
                      {kinds.length > 0 && <span className={classes.mail}>{mailText}</span>}
                    </span>
                    <DocumentBadge look={lookOf(invoiceLooks, document.state)} bare />
                    <span className={classes.amount}>{formatMoney(document.amount, document.currency, locale)}</span>
                  </>
                ) : (
                  <span className={classes.mail}>{mailText}</span>
                )}
              </li>
            )
          })}
      </ul>
      {first && <p className={card.quiet}>{t('billing.forecastMailsTo', { address: first.to })}</p>}
    </>
  )
}
