import { type AlertRuleName, type ClusterAlerts, clusterAlerts } from '@atoll/contract/observe'
import { StatusDot } from '@atoll/ui'
import { Skeleton } from '@mantine/core'
import { serverNow } from '../../../data/config/runtime-config.ts'
import { useCall } from '../../../data/use-call.ts'
import { formatDayAndTime } from '../../../kit/format/times.ts'
import { type TextKey, useLocale, useText } from '../../../kit/i18n/text.ts'
import { LoadFailure } from '../../../kit/page/LoadFailure.tsx'
import { type Column, DataTable } from '../../../kit/table/DataTable.tsx'
import classes from './AlertsSection.module.css'

const rules: Record<AlertRuleName, TextKey> = {
  disk: 'alerts.disk',
  memory: 'alerts.memory',
  offline: 'alerts.offline',
}

/** What the cluster is watched for, what fires now, and what fired before. */
export function AlertsSection({ clusterId }: { clusterId: string }) {
  const t = useText()
  const { data, error, refetch } = useCall(clusterAlerts, { clusterId })
  return (
    <section className={classes.section} aria-labelledby="alerts-title">
      <h2 className={classes.title} id="alerts-title">
        {t('alerts.title')}
      </h2>
      {!data && error && <LoadFailure title={t('alerts.errorTitle')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={120} radius={10} />}
      {data && (
        <>
          <Rules alerts={data} />
          <h3 className={classes.subtitle}>{t('alerts.history')}</h3>
          {data.history.length === 0 ? (
            <p className={classes.none}>{t('alerts.noHistory')}</p>
          ) : (
            <History history={data.history} />
          )}
        </>
      )}
    </section>
  )
}

function Rules({ alerts: { rules: all, current } }: { alerts: ClusterAlerts }) {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  return (
    <ul className={classes.rules}>
      {all.map(({ rule, threshold, clearBelow, forMinutes, mail }) => {
        const here = current.filter((one) => one.rule === rule)
        const firing = here.filter(({ state }) => state === 'firing')
        const dot = firing.length > 0 ? 'coral' : here.length > 0 ? 'amber' : 'green'
        const percent = (share: number) => new Intl.NumberFormat(locale, { style: 'percent' }).format(share)
        return (
          <li key={rule} className={classes.rule}>
            <StatusDot colour={dot} shape={here.length > 0 ? 'ring' : 'disc'} />
            <div>
              <div>
                {threshold === null || clearBelow === null
                  ? t('alerts.offlineRule', { minutes: forMinutes })
                  : t('alerts.rule', {
                      what: t(rules[rule]),
                      threshold: percent(threshold),
                      clear: percent(clearBelow),
                      minutes: forMinutes,
                    })}
              </div>
              <div className={classes.quiet}>
                {here.length === 0
                  ? t(mail ? 'alerts.okMailed' : 'alerts.ok')
                  : here
                      .map(({ state, instance, since }) =>
                        t(state === 'firing' ? 'alerts.firing' : 'alerts.pending', {
                          instance,
                          time: formatDayAndTime(since, now, locale),
                        }),
                      )
                      .join(t('alerts.between'))}
              </div>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

type HistoryEvent = ClusterAlerts['history'][number]

function History({ history }: { history: readonly HistoryEvent[] }) {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  const columns: Column<HistoryEvent>[] = [
    {
      key: 'at',
      header: t('alerts.columnTime'),
      cell: ({ at }) => formatDayAndTime(at, now, locale),
      width: '170px',
      phone: 'first',
    },
    { key: 'rule', header: t('alerts.columnWhat'), cell: ({ rule }) => t(rules[rule]), phone: 'second' },
    {
      key: 'kind',
      header: t('alerts.columnKind'),
      cell: ({ kind, value }) =>
        t(kind === 'fired' ? 'alerts.fired' : 'alerts.cleared') +
        (value === null ? '' : ` · ${new Intl.NumberFormat(locale, { style: 'percent' }).format(value)}`),
      phone: 'second-end',
    },
    {
      key: 'instance',
      header: t('alerts.columnInstance'),
      cell: ({ instance }) => instance ?? t('alerts.instanceGone'),
      isQuiet: true,
      phone: 'first-end',
    },
  ]
  return (
    <div className={classes.card}>
      <DataTable rows={history} rowKey={({ id }) => id} columns={columns} />
    </div>
  )
}
