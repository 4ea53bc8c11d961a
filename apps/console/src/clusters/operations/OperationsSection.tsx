import '@mantine/core/styles/SegmentedControl.layer.css'
import type { Operation, ResourceDetail } from '@atoll/contract/clusters'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useNow } from '../../kit/browser/use-now.ts'
import { useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'
import classes from '../frame/ClusterPage.module.css'
import { OperationTable } from './OperationTable.tsx'

const filters = ['all', 'yours', 'automatic'] as const
type Filter = (typeof filters)[number]

interface OperationsSectionProps {
  operations: Operation[]
  instances: ResourceDetail['data']
}

/** Operations on the cluster, newest first: author, end and duration; each opens to its steps. */
export function OperationsSection({ operations, instances }: OperationsSectionProps) {
  const t = useText()
  const userid = useCurrentAccount()?.userid
  const [filter, setFilter] = useState<Filter>('all')
  useNow(operations.some(({ state }) => state === 'running') ? 1000 : undefined)
  const shown = operations.filter(({ by }) =>
    filter === 'all' ? true : filter === 'yours' ? by === userid : by === null,
  )
  return (
    <section className="box clip" aria-labelledby="operations">
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
        <p className={classes.cardEmpty}>
          {t(operations.length === 0 ? 'detail.noOperations' : 'detail.noneOfFilter')}
        </p>
      ) : (
        <OperationTable operations={shown} instances={instances} />
      )}
    </section>
  )
}
