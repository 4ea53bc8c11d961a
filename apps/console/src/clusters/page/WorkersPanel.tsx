import {
  type Operation,
  operationKindTable,
  operationStepLabel,
  type Resource,
  type ResourceDetail,
} from '@atoll/contract/clusters'
import { Facts } from '@atoll/ui'
import { serverNow } from '../../data/config/runtime-config.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatDuration } from '../../kit/format/stopwatch.ts'
import { formatAgo, formatTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../kit/i18n/text.ts'
import { SettingRow } from '../../kit/page/SettingRow.tsx'
import { useInstanceName } from '../card/use-instance-name.ts'
import { CancelOperation } from '../operations/CancelOperation.tsx'
import { useAuthor } from '../operations/use-author.ts'
import classes from './ClusterPage.module.css'
import panel from './OperationPanel.module.css'

interface WorkersPanelProps {
  cluster: Resource
  /** The same kind each, of one worker each. */
  operations: [Operation, ...Operation[]]
  instances: ResourceDetail['data']
}

/** The same done to several workers: one card, a row a worker with its step and the way to cancel it. */
export function WorkersPanel({ cluster, operations, instances }: WorkersPanelProps) {
  const t = useText()
  const locale = useLocale()
  const author = useAuthor('inSentence')
  const instanceName = useInstanceName()
  useNow(1000)
  const now = serverNow()
  const [{ kind, startedAt, by }] = operations
  const last =
    operations
      .map(({ deadlineAt }) => deadlineAt)
      .sort()
      .at(-1) ?? startedAt
  const title = t('detail.operationOf', {
    what: operationKindTable[kind][locale],
    name: t('cluster.workers', { count: operations.length }),
  })
  return (
    <section className={classes.card} aria-label={title}>
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
        {operations.map((operation) => {
          const { operationId, instanceId, steps, startedAt: begun, cancellable } = operation
          const instance = instances.find((known) => known.instanceId === instanceId)
          const name = instance ? instanceName(instance) : t('activity.aWorker')
          const at = steps.findIndex(({ state }) => state === 'running')
          const step = steps[at]
          return (
            <li key={operationId}>
              <SettingRow
                title={name}
                text={
                  <>
                    <Facts>
                      {step &&
                        t('cluster.stepNow', {
                          step: at + 1,
                          steps: steps.length,
                          title: operationStepLabel(step.step, locale),
                        })}
                      <span className={panel.time}>
                        {t('detail.soFar', { time: formatDuration(now - Date.parse(begun), t) })}
                      </span>
                    </Facts>
                    {step?.detail && <span className={panel.why}>{step.detail}</span>}
                  </>
                }
              >
                {cancellable && <CancelOperation cluster={cluster} operation={operation} name={name} />}
              </SettingRow>
            </li>
          )
        })}
      </ul>
      <p className={panel.deadline}>{t('detail.deadline', { time: formatTime(last, now, locale) })}</p>
    </section>
  )
}
