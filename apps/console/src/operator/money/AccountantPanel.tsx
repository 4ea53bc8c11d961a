import { bookLists, booksPath, invoicesZipPath } from '@atoll/contract/staff'
import { Button, NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Panel } from '../../billing/shared/Panel.tsx'
import { showFailure } from '../../data/show-toast.ts'
import { downloadFile } from '../../kit/files/download-file.ts'
import { useLocale, useText } from '../../locales/text.ts'
import customers from '../customers/Customers.module.css'
import classes from './Money.module.css'
import { monthName } from './month-name.ts'

interface AccountantPanelProps {
  currency: 'usd' | 'cny'
  /** The oldest first; the last one goes on. */
  months: readonly string[]
}

const listWords = {
  journal: 'operator.journal',
  invoices: 'operator.invoices',
  creditNotes: 'operator.creditNotes',
  payments: 'operator.payments',
} as const

/** A month's books as files. */
export function AccountantPanel({ currency, months }: AccountantPanelProps) {
  const t = useText()
  const locale = useLocale()
  const [month, setMonth] = useState(months.at(-2) ?? '')
  const [part, setPart] = useState(1)
  const saving = useMutation({ mutationFn: downloadFile, onError: showFailure })
  const isClosed = month !== months.at(-1)
  return (
    <div className={customers.section}>
      <Panel title={t('operator.accountant')} note={t(isClosed ? 'operator.monthClosed' : 'operator.monthOpen')}>
        <div className={classes.files}>
          <NativeSelect
            aria-label={t('operator.month')}
            value={month}
            onChange={(event) => {
              setMonth(event.currentTarget.value)
              setPart(1)
            }}
            data={[...months].reverse().map((value) => ({ value, label: monthName(value, locale, 'long') }))}
          />
          {bookLists.map((list) => (
            <Button
              key={list}
              loading={saving.isPending}
              onClick={() =>
                saving.mutate({
                  path: booksPath(list),
                  body: { month, currency },
                  type: 'text/csv',
                  name: `${list}-${month}.csv`,
                })
              }
            >
              {t(listWords[list])}
            </Button>
          ))}
          <Button
            loading={saving.isPending}
            onClick={() =>
              saving.mutate(
                {
                  path: invoicesZipPath,
                  body: { month, currency, part },
                  type: 'application/zip',
                  name: `invoices-${month}-${part}.zip`,
                },
                { onSuccess: () => setPart(part + 1) },
              )
            }
          >
            {t('operator.pdfs', { part })}
          </Button>
        </div>
        <p className={`${classes.foot} small quiet`}>{t('operator.accountantText')}</p>
      </Panel>
    </div>
  )
}
