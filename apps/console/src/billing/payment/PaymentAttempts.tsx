import type { PaymentAttempt } from '@atoll/contract/billing'
import { countRows, countUnreadable } from '@atoll/contract/wire'
import { formatDateAndTime } from '../../kit/format/billing-dates.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { cardName } from '../shared/card-names.ts'
import { DocumentBadge } from '../shared/DocumentBadge.tsx'
import { paymentLook } from '../shared/document-looks.ts'
import { Panel } from '../shared/Panel.tsx'
import { useZone } from '../shared/use-customer.ts'
import classes from './PaymentAttempts.module.css'

interface PaymentAttemptsProps {
  attempts: readonly PaymentAttempt[]
  currency: string
}

/** Every try to pay the invoice, the first first, with what became of it in words. */
export function PaymentAttempts({ attempts, currency }: PaymentAttemptsProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  // One that was begun without a card has tried nothing yet.
  const tried = countUnreadable(
    attempts.filter(({ status, cardLast4 }) => status !== 'created' || cardLast4 !== undefined),
    attempts,
  )
  if (countRows(tried) === 0) return null
  return (
    <>
      <Panel title={t('payment.attempts')}>
        <DataTable
          label={t('payment.attempts')}
          rows={tried}
          rowKey={({ paymentId }) => paymentId}
          columns={[
            {
              header: t('payment.columnWhen'),
              cell: ({ createAt }) => <time dateTime={createAt}>{formatDateAndTime(createAt, zone, locale)}</time>,
              width: '200px',
              isQuiet: true,
              phone: 'second',
            },
            {
              header: t('payment.columnMeans'),
              cell: (attempt) => (
                <CellLines main={attempt.kind === 'card' ? cardName(attempt, t) : t('money.balance')} />
              ),
              phone: 'first',
            },
            {
              header: t('payment.columnResult'),
              cell: (attempt) => (
                <div>
                  <DocumentBadge look={paymentLook(attempt)} bare />
                  {attempt.reason && <span className={classes.reason}>{attempt.reason}</span>}
                </div>
              ),
              width: '192px',
              phone: 'third',
            },
            {
              header: t('payment.columnAmount'),
              // Of a card what it is asked for: the balance's part stands above, and no bank declines it.
              cell: ({ amount, toCard }) => formatMoney(toCard > 0 ? toCard : amount, currency, locale),
              width: '96px',
              align: 'right',
              phone: 'first-end',
            },
          ]}
        />
      </Panel>
      <p className={classes.note}>{t('payment.attemptsNote')}</p>
    </>
  )
}
