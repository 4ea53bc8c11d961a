import '@mantine/core/styles/SegmentedControl.layer.css'
import type { AccountAlerts, ClusterAlerts } from '@atoll/contract/observe'
import { StatusDot } from '@atoll/ui'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { serverNow } from '../../../config/runtime-config.ts'
import { formatDayAndTime, formatTime, formatUptime } from '../../../kit/format/times.ts'
import { type Column, DataTable } from '../../../kit/table/DataTable.tsx'
import { NoValue } from '../../../kit/table/NoValue.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { calledInstance } from '../../card/instance-name.ts'
import classes from './AlertsSection.module.css'
import { useRuleWords } from './rule-words.ts'

type PastAlert = ClusterAlerts['history'][number]

const dayMs = 24 * 3600_000
/** Days that are shown; the second is as many as the server answers. */
const spans = [7, 30] as const

/** Of one cluster, or of all of them, which are then named. */
interface AlertHistoryProps {
  history: readonly (PastAlert | AccountAlerts['history'][number])[]
  /** Of its heading. */
  level: 'h2' | 'h3'
}

/** Past alerts with their duration, newest first. */
export function AlertHistory({ history, level: Heading }: AlertHistoryProps) {
  const t = useText()
  const locale = useLocale()
  const { what, value: valueWords } = useRuleWords()
  const [days, setDays] = useState<number>(spans[0])
  const now = serverNow()
  const shown = history.filter(
    ({ at, clearedAt, goesOn }) => goesOn || Date.parse(clearedAt ?? at) > now - days * dayMs,
  )
  const lasted = ({ at, clearedAt, goesOn }: PastAlert) => {
    const from = Date.parse(at)
    if (goesOn) return t('alerts.lastsSoFar', { time: formatUptime(now - from, locale) })
    if (clearedAt === null) return t('alerts.endUnseen')
    const time = formatUptime(Date.parse(clearedAt) - from, locale)
    return t('alerts.lasted', { time, end: formatTime(clearedAt, now, locale) })
  }
  const mailed = ({ mailedAt, endMailedAt }: PastAlert) => {
    const [first, second] = [mailedAt, endMailedAt].map((time) => time && formatTime(time, now, locale))
    if (first && second) return t('alerts.mailTimes', { first, second })
    return first || second || <NoValue />
  }
  const isAccount = history.some((past) => 'cluster' in past)
  const where = (past: AlertHistoryProps['history'][number]) => {
    const instance = past.instance === null ? t('alerts.instanceGone') : calledInstance(past.instance, t)
    return 'cluster' in past ? t('alerts.clusterInstance', { cluster: past.cluster, instance }) : instance
  }
  const columns: Column<AlertHistoryProps['history'][number]>[] = [
    {
      header: t('alerts.columnTime'),
      cell: ({ at }) => formatDayAndTime(at, now, locale),
      width: '170px',
      phone: 'first',
    },
    {
      header: t('alerts.columnWhat'),
      cell: ({ rule, subject, value, goesOn }) => (
        <span className={classes.what}>
          <StatusDot colour={goesOn ? 'coral' : 'green'} shape="disc" />
          <span>
            {[what(rule), subject, value === null ? null : valueWords(rule, value)]
              .filter((word) => word !== null)
              .join(' · ')}
          </span>
        </span>
      ),
      phone: 'second',
    },
    { header: t('alerts.columnLasted'), cell: lasted, phone: 'second-end' },
    {
      header: t(isAccount ? 'alerts.columnWhere' : 'alerts.columnInstance'),
      cell: where,
      isQuiet: true,
      phone: 'first-end',
    },
    { header: t('alerts.columnMail'), cell: mailed, isQuiet: true, isWide: true },
  ]
  return (
    <>
      <div className={classes.historyHead}>
        <Heading className={classes.subtitle} id="alert-history">
          {t('alerts.history')}
        </Heading>
        <SegmentedControl
          size="xs"
          aria-labelledby="alert-history"
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          data={spans.map((count) => ({ value: String(count), label: t('alerts.days', { count }) }))}
        />
      </div>
      {shown.length === 0 ? (
        <p className="small soft">{t('alerts.noHistory', { count: days })}</p>
      ) : (
        <div className="box clip">
          <DataTable label={t('alerts.history')} rows={shown} rowKey={({ id }) => id} columns={columns} />
        </div>
      )}
    </>
  )
}
