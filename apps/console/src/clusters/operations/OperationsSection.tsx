import type { Operation, ResourceDetail } from '@atoll/contract/clusters'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useNow } from '../../kit/browser/use-now.ts'
import { useText } from '../../kit/i18n/text.ts'
import table from '../../kit/table/Table.module.css'
import { useCurrentAccount } from '../../session/account-store.ts'
import classes from '../page/ClusterPage.module.css'
import { OperationLine } from './OperationLine.tsx'

const filters = ['all', 'yours', 'automatic'] as const
type Filter = (typeof filters)[number]

interface OperationsSectionProps {
  operations: Operation[]
  instances: ResourceDetail['data']
}

/** What was done to the cluster, newest first: by whom, how it ended and how long it took; each opens to its steps. */
export function OperationsSection({ operations, instances }: OperationsSectionProps) {
  const t = useText()
  const userid = useCurrentAccount()?.userid
  const [filter, setFilter] = useState<Filter>('all')
  useNow(operations.some(({ state }) => state === 'running') ? 1000 : undefined)
  const shown = operations.filter(({ by }) =>
    filter === 'all' ? true : filter === 'yours' ? by === userid : by === null,
  )
  return (
    <section className={classes.card} aria-labelledby="operations">
      <div className={classes.cardHeader}>
        <h2 id="operations">{t('detail.operations')}</h2>
        <SegmentedControl
          className={classes.cardAction ?? ''}
          aria-label={t('detail.filter')}
          value={filter}
          onChange={(value) => setFilter(filters.find((known) => known === value) ?? 'all')}
          data={[
            { value: 'all', label: t('detail.filterAll') },
            { value: 'yours', label: t('detail.filterYours') },
            { value: 'automatic', label: t('detail.filterAutomatic') },
          ]}
        />
      </div>
      {shown.length === 0 ? (
        <p className={table.empty}>{t(operations.length === 0 ? 'detail.noOperations' : 'detail.noneOfFilter')}</p>
      ) : (
        <table className={`${table.table} ${table.operations}`}>
          <thead>
            <tr>
              <th scope="col">{t('detail.columnWhat')}</th>
              <th scope="col">{t('detail.columnResult')}</th>
              <th scope="col">{t('detail.columnBy')}</th>
              <th scope="col">{t('detail.columnStarted')}</th>
              <th scope="col" className={table.right}>
                {t('detail.columnTook')}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((operation) => (
              <OperationLine
                key={operation.operationId}
                operation={operation}
                instance={instances.find(({ instanceId }) => instanceId === operation.instanceId)}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
