import type { AuditAction, AuditRecord } from '@atoll/contract/audit'
import { useOfferingTitle } from '../clusters/card/use-offering-title.ts'
import { formatDayAndTime } from '../kit/format/times.ts'
import { CellLines } from '../kit/table/CellLines.tsx'
import { NoValue } from '../kit/table/NoValue.tsx'
import { PagedTable } from '../kit/table/PagedTable.tsx'
import type { ListState } from '../kit/table/use-list-search.ts'
import { useLocale, useText } from '../locales/text.ts'
import { ActivityEmpty } from './ActivityEmpty.tsx'
import type { ActivitySearch } from './activity-search.ts'
import { describeRecord } from './describe-record.ts'
import { personName } from './person-name.ts'
import { RecordFacts } from './RecordFacts.tsx'
import type { useActivity } from './use-activity.ts'

interface ActivityTableProps {
  userid: string
  query: ReturnType<typeof useActivity>
  list: ListState<ActivitySearch>
}

/** The records, newest first: what happened, who did it, from where and when; each opens to what it changed. */
export function ActivityTable({ userid, query, list }: ActivityTableProps) {
  const t = useText()
  const locale = useLocale()
  const offeringTitle = useOfferingTitle()
  const { kind } = list.search
  const who = ({ actor, action, isErased }: AuditRecord) => {
    if (actor !== null) return personName(actor, userid, t)
    if (isErased) return t('activity.erased')
    return t(byOperator.has(action) ? 'activity.operator' : 'activity.system')
  }
  return (
    <PagedTable
      label={t('activity.title')}
      query={query}
      rows={({ records }) => records}
      rowKey={({ seq }) => seq}
      list={list}
      errorTitle={t('activity.errorTitle')}
      empty={<ActivityEmpty />}
      columns={[
        {
          header: t('activity.columnWhat'),
          cell: (record) => <CellLines main={describeRecord(record, { userid, t, locale, offeringTitle })} />,
          phone: 'first',
        },
        { header: t('activity.columnWho'), cell: who, width: '20%', isQuiet: true, phone: 'second' },
        {
          header: t('activity.columnFrom'),
          cell: ({ ip }) => ip ?? <NoValue />,
          width: '16%',
          isQuiet: true,
          phone: 'second',
        },
        {
          header: t('activity.columnWhen'),
          cell: ({ at }) => (
            <time dateTime={at} title={at}>
              {formatDayAndTime(at, Date.now(), locale)}
            </time>
          ),
          width: '15%',
          isQuiet: true,
          phone: 'second-end',
        },
      ]}
      opened={(record) => (
        <RecordFacts
          userid={userid}
          record={record}
          onObject={(object) => list.replace({ ...(kind && { kind }), object })}
        />
      )}
    />
  )
}

/** An act of an operator's command, from no session. */
const byOperator: ReadonlySet<AuditAction> = new Set([
  'account.grantAdmin',
  'account.revokeAdmin',
  'account.setQuota',
  'account.allowCreate',
  'account.forbidCreate',
])
