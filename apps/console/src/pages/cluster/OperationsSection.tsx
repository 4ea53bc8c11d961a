import type { Operation } from '@atoll/contract'
import { StatusDot } from '@atoll/ui'
import { useNow } from '../../components/use-now.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDayAndTime, formatStopwatch } from '../../format/times.ts'
import { useLocale, useText } from '../../i18n/text.ts'
import classes from './ClusterPage.module.css'
import { operationKinds } from './operation-kinds.ts'
import table from './Table.module.css'

/** What was done to the cluster, newest first, how it ended and how long it took. */
export function OperationsSection({ operations }: { operations: Operation[] }) {
  const t = useText()
  const locale = useLocale()
  useNow(operations.some(({ state }) => state === 'running') ? 1000 : undefined)
  return (
    <section className={classes.card} aria-labelledby="operations">
      <div className={classes.cardHeader}>
        <h2 id="operations">{t('detail.operations')}</h2>
      </div>
      {operations.length === 0 ? (
        <p className={table.empty}>{t('detail.noOperations')}</p>
      ) : (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('detail.columnWhat')}</th>
              <th scope="col">{t('detail.columnResult')}</th>
              <th scope="col">{t('detail.columnStarted')}</th>
              <th scope="col" className={table.right}>
                {t('detail.columnTook')}
              </th>
            </tr>
          </thead>
          <tbody>
            {operations.map((operation) => (
              <tr key={operation.operationId}>
                <td>
                  <span className={table.main}>{t(operationKinds[operation.kind])}</span>
                </td>
                <td>
                  <Result operation={operation} />
                </td>
                <td className={table.quiet} data-label={t('detail.columnStarted')}>
                  {formatDayAndTime(operation.startedAt, serverNow(), locale)}
                </td>
                <td className={`${table.quiet} ${table.right}`} data-label={t('detail.columnTook')}>
                  <Took operation={operation} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Result({ operation: { state, error } }: { operation: Operation }) {
  const t = useText()
  const text =
    state === 'running'
      ? t('detail.resultRunning')
      : state === 'done'
        ? t('detail.resultDone')
        : t('detail.resultFailed', { reason: error ?? t('failure.unknown') })
  return (
    <span className={table.result}>
      <StatusDot
        colour={state === 'running' ? 'amber' : state === 'done' ? 'green' : 'coral'}
        shape={state === 'running' ? 'ring' : 'disc'}
      />
      {text}
    </span>
  )
}

function Took({ operation: { startedAt, endedAt } }: { operation: Operation }) {
  const t = useText()
  const time = formatStopwatch((endedAt ? Date.parse(endedAt) : serverNow()) - Date.parse(startedAt))
  return endedAt ? time : t('detail.soFar', { time })
}
