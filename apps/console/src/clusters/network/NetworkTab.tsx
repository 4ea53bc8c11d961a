import { planShow, planUsage, subscriptionPeriod } from '@atoll/contract/billing'
import { clusterUsage, type Resource } from '@atoll/contract/clusters'
import { unreadableRows } from '@atoll/contract/wire'
import { Meter, StateBadge } from '@atoll/ui'
import { IconCheck, IconClock } from '@tabler/icons-react'
import { formatRate } from '../../billing/shared/format-rate.ts'
import { useAccountNow, useZone } from '../../billing/shared/use-customer.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { daysOfPeriod, formatPeriod, formatShortDate } from '../../kit/format/billing-dates.ts'
import { formatTime } from '../../kit/format/times.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { type TextKey, useLocale, useText } from '../../locales/text.ts'
import { addressHost } from '../card/address-host.ts'
import { useTrafficLimited } from '../card/use-traffic-limited.ts'
import classes from './NetworkTab.module.css'

/** By what visitors come to it. */
function ingressOf({ clusterType, reverseProxy, viaEdge }: Resource): TextKey {
  if (clusterType === 'Cloud') return 'network.edge'
  if (reverseProxy === 'frp') return viaEdge ? 'billing.networkRelay' : 'network.frp'
  return reverseProxy === 'cloudflare' ? 'network.cloudflare' : 'network.direct'
}

/** Uses of the plan's traffic, and the answer to visitors once it is used up. */
export function NetworkTab({ cluster }: { cluster: Resource }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const now = useAccountNow()
  const limited = useTrafficLimited(cluster)
  const isLimited = limited !== undefined
  const { data, error, refetch } = useCall(planUsage, {})
  const period = useCall(subscriptionPeriod, {}).data
  const mine = useCall(clusterUsage, { clusterId: cluster.clusterId }).data?.traffic.value
  const plan = useCall(planShow, {}).data?.plans.find(({ isCurrent }) => isCurrent)
  const traffic = data?.find(({ productType }) => productType === 'cloud_traffic')
  if (!traffic) {
    return error ? <LoadFailure title={t('network.errorTitle')} error={error} onRetry={refetch} /> : null
  }
  const { used, quota, unitLabel, currency, asOf, today } = traffic
  // A cluster without traffic today has no part.
  const known = today?.clusters.find(({ clusterId }) => clusterId === cluster.clusterId)?.used
  const mineToday = known ?? (today && unreadableRows(today.clusters) === 0 ? 0 : undefined)
  const figure = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const amount = (value: number | undefined) =>
    value === undefined ? t('detail.none') : `${figure.format(value)} ${unitLabel}`
  const ofQuota = t('billing.ofQuota', { quota: figure.format(quota), unit: unitLabel })
  const rate = plan?.rates.cloud_traffic
  const { viaEdge } = cluster
  const rows = [
    {
      key: 'here',
      ingress: t(ingressOf(cluster)),
      host: cluster.url === null ? t('network.noAddress') : addressHost(cluster.url),
      used: mine,
      today: mineToday,
      state: isLimited
        ? ('limited' as const)
        : cluster.status === 'running' && viaEdge
          ? ('served' as const)
          : undefined,
      text: limited
        ? limited.since === null
          ? t('network.limited')
          : t('network.limitedSince', { time: formatTime(limited.since, serverNow(), locale) })
        : !viaEdge
          ? t('network.notCut')
          : t(cluster.status === 'running' ? 'network.served' : 'network.notServed'),
    },
    ...(mine !== undefined && used - mine >= 0.05
      ? [
          {
            key: 'others',
            ingress: t('network.others'),
            host: '',
            state: undefined,
            text: '',
            used: used - mine,
            today: today && mineToday !== undefined ? today.used - mineToday : undefined,
          },
        ]
      : []),
  ]
  return (
    <>
      <section className="box clip" aria-labelledby="traffic">
        <div className={classes.header}>
          <h2 id="traffic">{t('network.traffic')}</h2>
          {period && (
            <span>
              {t('billing.usagePeriod', {
                period: formatPeriod(period.periodStart, period.periodEnd, zone, locale),
                count: daysOfPeriod(period.periodStart, period.periodEnd, now).left,
              })}
            </span>
          )}
          <span className={classes.asOf}>{t('cluster.asOf', { time: formatTime(asOf, now, locale) })}</span>
        </div>
        <div className={classes.used}>
          <div className={classes.figure}>
            <span>
              <b>{amount(used)}</b> {ofQuota}
            </span>
            {plan && !(rate && isLimited) && (
              <span>
                {rate
                  ? t('billing.usageThen', {
                      rate: t('billing.rate', { rate: formatRate(rate, currency), unit: unitLabel }),
                    })
                  : t('billing.usageStops')}
              </span>
            )}
          </div>
          <Meter
            share={quota > 0 ? used / quota : used > 0 ? 2 : 0}
            label={t('common.labelled', { label: t('network.traffic'), value: `${amount(used)} ${ofQuota}` })}
          />
        </div>
        <DataTable
          label={t('network.traffic')}
          rows={rows}
          rowKey={({ key }) => key}
          columns={[
            { header: t('network.columnWay'), cell: ({ ingress }) => ingress, phone: 'first' },
            {
              header: t('network.columnHost'),
              cell: ({ host }) => <span className={classes.host}>{host}</span>,
              phone: 'second',
            },
            {
              header: t('network.columnPeriod'),
              cell: ({ used: moved }) => amount(moved),
              align: 'right',
              width: '140px',
              phone: 'first-end',
            },
            {
              header: t('network.columnToday'),
              cell: ({ today: movedToday }) => amount(movedToday),
              align: 'right',
              width: '120px',
              isQuiet: true,
              phone: 'labelled',
            },
            {
              header: t('network.columnNow'),
              cell: ({ state, text }) =>
                state ? (
                  <StateBadge
                    colour={state === 'limited' ? 'amber' : 'green'}
                    shape={state === 'limited' ? 'hollow' : 'disc'}
                    bare
                  >
                    {text}
                  </StateBadge>
                ) : (
                  text
                ),
              phone: 'second-end',
            },
          ]}
        />
      </section>
      {isLimited && (
        <div className={classes.pair}>
          <section className="box clip" aria-labelledby="visitors">
            <div className={classes.header}>
              <h2 id="visitors">{t('network.visitors')}</h2>
              <span>{t('network.visitorsText')}</span>
            </div>
            <div className={classes.sheet}>
              <b>{t('notice.limited', { what: t('notice.cloud_traffic') })}</b>
              <p>{t('notice.limitedHelp', { what: t('notice.cloud_traffic') })}</p>
              <small>{t('network.again')}</small>
            </div>
          </section>
          <section className="box clip" aria-labelledby="goes-on">
            <div className={classes.header}>
              <h2 id="goes-on">{t('network.goesOn')}</h2>
            </div>
            <ul className={classes.list}>
              {(['goesConsole', 'goesMachine', 'goesUnderWay'] as const).map((key) => (
                <li key={key}>
                  <IconCheck size={16} stroke={1.8} aria-hidden="true" />
                  {t(`network.${key}`)}
                </li>
              ))}
              {period && (
                <li data-quiet>
                  <IconClock size={16} stroke={1.6} aria-hidden="true" />
                  {t('network.opens', { day: formatShortDate(period.periodEnd * 1000, zone, locale) })}
                </li>
              )}
            </ul>
          </section>
        </div>
      )}
    </>
  )
}
