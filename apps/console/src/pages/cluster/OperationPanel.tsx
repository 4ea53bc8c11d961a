import type { Operation, Resource } from '@atoll/contract'
import { StatusBadge } from '@atoll/ui'
import { IconChevronRight } from '@tabler/icons-react'
import { isBeingMade, parseInstallLog } from '../../components/cluster/progress-steps.ts'
import { useNow } from '../../components/use-now.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { formatAgo, formatStopwatch, formatTime } from '../../format/times.ts'
import { type TextKey, useLocale, useText } from '../../i18n/text.ts'
import classes from './ClusterPage.module.css'
import { InstallView } from './InstallView.tsx'
import panel from './OperationPanel.module.css'
import { operationKinds } from './operation-kinds.ts'

const titles: Record<Operation['kind'], TextKey> = {
  create: 'detail.operationCreate',
  start: 'detail.operationStart',
  stop: 'detail.operationStop',
  restart: 'detail.operationRestart',
  destroy: 'detail.operationDestroy',
  retry: 'detail.operationRetry',
}

interface OperationPanelProps {
  cluster: Resource
  /** The newest. */
  operation: Operation | undefined
}

/** What is going on: the steps beside the live log while it is being made or after that failed; else folded away. */
export function OperationPanel({ cluster, operation }: OperationPanelProps) {
  const t = useText()
  const locale = useLocale()
  const running = operation?.state === 'running'
  const making = isBeingMade(cluster)
  const failed = cluster.status === 'errored' || cluster.status === 'restore_error'
  useNow(running ? 1000 : undefined)
  const log = parseInstallLog(cluster.installLog)

  if (!making && !running && !failed) {
    if (log.length === 0) return null
    return (
      <details className={classes.card}>
        <summary className={panel.summary}>
          <IconChevronRight className={panel.chevron} size={16} stroke={1.6} aria-hidden="true" />
          {t('detail.operationIdle', { name: cluster.name })}
        </summary>
        <InstallView cluster={cluster} />
      </details>
    )
  }

  const started = operation ? Date.parse(operation.startedAt) : undefined
  const showsInstall = making || (failed && log.length > 0)
  return (
    <section className={classes.card}>
      <div className={classes.cardHeader}>
        <h2>
          {operation && operation.state === 'failed'
            ? t('detail.operationFailed', { what: t(operationKinds[operation.kind]) })
            : t(operation ? titles[operation.kind] : 'detail.operationCreate', { name: cluster.name })}
        </h2>
        <StatusBadge status={cluster.status} locale={locale} />
        {started !== undefined && (
          <span className={classes.cardNote}>
            {running
              ? t('detail.started', {
                  time: formatTime(started, serverNow(), locale),
                  ago: formatAgo(started, serverNow(), locale),
                })
              : operation?.endedAt &&
                t('detail.took', { time: formatStopwatch(Date.parse(operation.endedAt) - started) })}
          </span>
        )}
      </div>
      {showsInstall && <InstallView cluster={cluster} />}
    </section>
  )
}
