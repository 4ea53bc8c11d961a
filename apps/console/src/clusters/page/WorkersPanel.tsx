import type { Operation, Resource, ResourceDetail } from '@atoll/contract/clusters'
import { operationKindLabel } from '@atoll/texts/operations'
import { serverNow } from '../../config/runtime-config.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatAgo, formatTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../frame/ClusterPage.module.css'
import panel from '../install/OperationPanel.module.css'
import { useAuthor } from '../operations/use-author.ts'
import { WorkerRow } from './WorkerRow.tsx'

interface WorkersPanelProps {
  cluster: Resource
  /** The same kind each, of one worker each. */
  operations: [Operation, ...Operation[]]
  instances: ResourceDetail['data']
  stale: boolean
}

/** The same done to several workers: one card, a row a worker. */
export function WorkersPanel({ cluster, operations, instances, stale }: WorkersPanelProps) {
  const t = useText()
  const locale = useLocale()
  const author = useAuthor('inSentence')
  useNow(1000)
  const now = serverNow()
  const [{ kind, startedAt, by }] = operations
  const last =
    operations
      .map(({ deadlineAt }) => deadlineAt)
      .sort()
      .at(-1) ?? startedAt
  const title = t('detail.operationOf', {
    what: operationKindLabel(kind, locale),
    name: t('cluster.workers', { count: operations.length }),
  })
  return (
    <section className="box clip" aria-label={title}>
      <div className={classes.cardHeader}>
        <h2>{title}</h2>
        <span className={classes.cardNote}>
          {t('detail.startedBy', {
            time: formatTime(startedAt, now, locale),
            ago: formatAgo(startedAt, now, locale),
            who: author(by),
          })}
        </span>
      </div>
      <ul className={panel.workers}>
        {operations.map((operation) => (
          <li key={operation.operationId}>
            <WorkerRow
              cluster={cluster}
              operation={operation}
              instance={instances.find(({ instanceId }) => instanceId === operation.instanceId)}
              stale={stale}
            />
          </li>
        ))}
      </ul>
      <p className={panel.deadline}>
        <Deadline at={last} now={now}>
          {t('detail.deadline', { time: formatDeadline(last, now, locale) })}
        </Deadline>
      </p>
    </section>
  )
}
