import { type AbuseReport, abusePage } from '@atoll/contract/staff'
import { PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '../../data/use-call.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { defineListSearch } from '../../kit/table/list-search.ts'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { PersonLink } from '../customers/PersonLink.tsx'
import classes from './Abuse.module.css'
import { CloseReportDialog } from './CloseReportDialog.tsx'
import { FindHolder } from './FindHolder.tsx'
import { ReportDialog } from './ReportDialog.tsx'

const search = defineListSearch({})

/** Finding the customer who had a host or an address, and the reports that came in; a customer's page suspends. */
export function AbusePage() {
  const t = useText()
  const locale = useLocale()
  const list = useListSearch(search)
  const query = useCall(abusePage, { page: list.search.page ?? 1 }, { placeholderData: keepPreviousData })
  usePageTitle(t('operator.abuse'))
  useCrumb(t('operator.abuse'))
  const [dialog, setDialog] = useState<{ report?: AbuseReport }>()
  const at = (time: string) => formatDayAndTime(time, Date.now(), locale, 'UTC')
  const done = () => {
    setDialog(undefined)
    void query.refetch()
  }
  const came = ({ closed }: AbuseReport) =>
    closed === null ? t('operator.abuseOpen') : t(`operator.abuseOutcomes.${closed.outcome}`)
  return (
    <>
      <PageHeader
        title={t('operator.abuse')}
        actions={<Button onClick={() => setDialog({})}>{t('operator.abuseWrite')}</Button>}
      >
        {t('operator.abuseLead')}
      </PageHeader>
      <div className={classes.above}>
        <FindHolder />
      </div>
      <PagedTable
        label={t('operator.abuseReports')}
        query={query}
        rows={({ reports }) => reports}
        rowKey={({ reportId }) => reportId}
        list={list}
        errorTitle={t('operator.abuseError')}
        empty={t('operator.abuseNone')}
        columns={[
          {
            header: t('operator.abuseWhat'),
            cell: ({ what, text }) => <CellLines main={what} second={text} />,
            phone: 'first',
          },
          {
            header: t('operator.abuseSeen'),
            cell: ({ seenAt, reporter }) => <CellLines main={at(seenAt)} second={reporter} />,
            width: '22%',
            isQuiet: true,
          },
          {
            header: t('operator.abuseCustomer'),
            cell: ({ person }) => (person ? <PersonLink person={person} /> : t('operator.abuseNobody')),
            width: '22%',
            leads: true,
          },
          { header: t('operator.state'), cell: came, width: '12%', phone: 'first-end' },
          {
            header: t('operator.actions'),
            cell: (report) =>
              report.closed === null && (
                <Button
                  size="xs"
                  aria-label={t('operator.abuseCloseOf', { what: report.what })}
                  onClick={() => setDialog({ report })}
                >
                  {t('operator.abuseClose')}
                </Button>
              ),
            width: '110px',
            isActions: true,
          },
        ]}
      />
      {dialog &&
        (dialog.report ? (
          <CloseReportDialog report={dialog.report} onClose={() => setDialog(undefined)} onDone={done} />
        ) : (
          <ReportDialog onClose={() => setDialog(undefined)} onDone={done} />
        ))}
    </>
  )
}
