import type { ClusterMonitor, Resource } from '@atoll/contract/clusters'
import { formatHardware, formatPercent } from '@atoll/ui/i18n'
import { useLocale, useText } from '../../../locales/text.ts'
import classes from './ClusterFigures.module.css'
import { LiveFigure } from './LiveFigure.tsx'
import { Sparkline } from './Sparkline.tsx'

interface ClusterFiguresProps {
  latest: NonNullable<Resource['latest']>
  /** Courses of the last hours, when they are known. */
  monitor: ClusterMonitor | undefined
}

/** CPU and memory now, each with its course. */
export function ClusterFigures({ latest, monitor }: ClusterFiguresProps) {
  const t = useText()
  const locale = useLocale()
  const content = monitor?.metrics.content
  return (
    <div className={classes.figures}>
      <div className={classes.figure}>
        <span className={classes.name}>{t('cluster.cpuLabel')}</span>
        {content && <Sparkline points={content.cpu} max={peak(content.cpu, 0.25)} />}
        <LiveFigure>{formatPercent(latest.cpu, locale)}</LiveFigure>
      </div>
      <div className={classes.figure}>
        <span className={classes.name}>{t('cluster.memoryLabel')}</span>
        {content && <Sparkline points={content.memory} max={peak(content.memory, latest.memoryTotal / 4)} />}
        <LiveFigure>{formatHardware(latest.memoryUsed, locale)}</LiveFigure>
      </div>
    </div>
  )
}

/** Top of a sparkline: a quarter above its peak, and never so low that noise looks like a storm. */
function peak(points: [number, number][], least: number): number {
  return Math.max(least, ...points.map(([, value]) => value * 1.25))
}
