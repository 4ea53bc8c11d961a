import type { Operation, Resource, ResourceDetail } from '@atoll/contract/clusters'
import { operationKindLabel } from '@atoll/texts/operations'
import { StatusBadge } from '@atoll/ui'
import { serverNow } from '../../config/runtime-config.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatAgo, formatTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import classes from '../frame/ClusterPage.module.css'
import panel from '../install/OperationPanel.module.css'
import { CancelOperation } from './CancelOperation.tsx'
import { OperationProgress } from './OperationProgress.tsx'
import { useAuthor } from './use-author.ts'

interface OperationPanelProps {
  cluster: Resource
  operation: Operation
  /** The instances as far as they are known: an operation may be about one of them. */
  instances: ResourceDetail['data']
  stale: boolean
}

/**
 * An operation that runs: who asked for it, its steps beside the log, when it is given up, and the way to cancel it.
 */
export function OperationPanel({ cluster, operation, instances, stale }: OperationPanelProps) {
  const t = useText()
  const locale = useLocale()
  const author = useAuthor('inSentence')
  const instanceName = useInstanceName()
  useNow(1000)
  const instance = instances.find(({ instanceId }) => instanceId === operation.instanceId)
  const started = Date.parse(operation.startedAt)
  const status = instance?.status ?? cluster.status
  const name = instance ? instanceName(instance) : cluster.name
  const title = t('detail.operationOf', { what: operationKindLabel(operation.kind, locale), name })
  return (
    <section className="box clip" aria-label={title}>
      <div className={classes.cardHeader} data-badge>
        <h2>{title}</h2>
        <StatusBadge status={status} locale={locale} stale={stale} />
        <span className={classes.cardNote}>
          {t('detail.startedBy', {
            time: formatTime(started, serverNow(), locale),
            ago: formatAgo(started, serverNow(), locale),
            who: author(operation.by),
          })}
        </span>
        {operation.cancellable && <CancelOperation cluster={cluster} operation={operation} name={name} />}
      </div>
      <OperationProgress cluster={cluster} operation={operation} instance={instance} />
      <p className={panel.deadline}>
        <Deadline at={operation.deadlineAt} now={serverNow()}>
          {t('detail.deadline', { time: formatDeadline(operation.deadlineAt, serverNow(), locale) })}
        </Deadline>
      </p>
    </section>
  )
}
