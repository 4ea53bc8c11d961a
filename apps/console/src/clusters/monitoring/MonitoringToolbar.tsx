import '@mantine/core/styles/SegmentedControl.layer.css'
import type { ClusterMonitor, ResourceDetail } from '@atoll/contract/clusters'
import { type MonitorRange, monitorRanges, monitorStepMs } from '@atoll/contract/wire'
import { Facts, StatusDot } from '@atoll/ui'
import { SegmentedControl } from '@mantine/core'
import { IconServer2 } from '@tabler/icons-react'
import { serverNow } from '../../config/runtime-config.ts'
import { FilterMenu } from '../../kit/menu/FilterMenu.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import { formatDay, formatSecond } from './chart/time-axis.ts'
import classes from './MonitoringTab.module.css'
import { rangeTitles } from './range-titles.ts'

interface MonitoringToolbarProps {
  range: MonitorRange
  onRange: (range: MonitorRange) => void
  instances: ResourceDetail['data']
  /** Undefined: all of them. */
  instanceId: string | undefined
  onInstance: (instanceId: string | undefined) => void
  metrics: ClusterMonitor['metrics'] | undefined
  stale: boolean
}

/** Of what time, of which instance, and how new. */
export function MonitoringToolbar(props: MonitoringToolbarProps) {
  const { range, onRange, instances, instanceId, onInstance, metrics, stale } = props
  const t = useText()
  const locale = useLocale()
  const instanceName = useInstanceName()
  return (
    <div className={classes.toolbar}>
      <SegmentedControl
        aria-label={t('monitoring.rangeLabel')}
        value={range}
        onChange={(value) => {
          const next = monitorRanges.find((known) => known === value)
          if (next) onRange(next)
        }}
        data={monitorRanges.map((value) => ({ value, label: t(rangeTitles[value]) }))}
      />
      <div className={classes.asOf}>
        {metrics && (
          <Facts>
            <AsOf key="asOf" at={metrics.lastUpdatedAt} stale={stale} />
            {metrics.lastUpdatedAt && t('monitoring.pointIs', { minutes: monitorStepMs[range] / 60_000 })}
          </Facts>
        )}
      </div>
      {instances.length > 1 && (
        <FilterMenu
          label={t('monitoring.instance')}
          icon={IconServer2}
          all={t('monitoring.allInstances')}
          options={instances.map((one) => ({ value: one.instanceId, label: instanceName(one) }))}
          value={instanceId}
          onChoose={onInstance}
        />
      )}
    </div>
  )

  function AsOf({ at, stale: isStale }: { at: string | null; stale: boolean }) {
    const dot = isStale
      ? ({ colour: 'grey', shape: 'hollow' } as const)
      : ({ colour: at ? 'green' : 'amber', shape: at ? 'disc' : 'ring' } as const)
    const words = () => {
      if (at === null) return t(isStale ? 'monitoring.nothingKept' : 'monitoring.waiting')
      const time = Date.parse(at)
      const isToday = new Date(time).toDateString() === new Date(serverNow()).toDateString()
      const clock = formatSecond(time, locale)
      return t('cluster.asOf', { time: isToday ? clock : `${formatDay(time, locale)} ${clock}` })
    }
    return (
      <span className={classes.dotted}>
        <StatusDot {...dot} />
        {words()}
      </span>
    )
  }
}
