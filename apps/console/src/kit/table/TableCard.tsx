import { useDelayed } from '@atoll/ui'
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../locales/text.ts'
import { LoadFailure } from '../page/LoadFailure.tsx'
import { PartBoundary } from '../page/PartBoundary.tsx'
import { StaleNotice } from '../page/StaleNotice.tsx'
import classes from './TableCard.module.css'

interface TableCardProps {
  /** How many rows are shown; undefined until the first answer. */
  rows: number | undefined
  /** Something narrows the list. */
  isFiltered: boolean
  /** Why the newest question failed; what is shown is then of `updatedAt`, this device's time, ms. */
  error: Error | null
  updatedAt: number
  onRetry: () => Promise<unknown>
  /** The sentence for missing content: 'Activity did not load'. */
  errorTitle: string
  /** Shown when there is nothing at all. */
  empty: ReactNode
  /** The table. */
  children: ReactNode
}

/** The card around a table in its states: loading, failed, empty, nothing that matches, full and, with it, old. */
export function TableCard({
  rows,
  isFiltered,
  error,
  updatedAt,
  onRetry,
  errorTitle,
  empty,
  children,
}: TableCardProps) {
  const t = useText()
  const skeleton = useDelayed(rows === undefined && !error)
  if (rows === undefined) {
    if (error) return <LoadFailure title={errorTitle} error={error} onRetry={onRetry} />
    return skeleton && <TableSkeleton />
  }
  const stale = error && <StaleNotice error={error} updatedAt={updatedAt} onRetry={onRetry} />
  return (
    <>
      {stale}
      {rows === 0 && !isFiltered ? (
        empty
      ) : (
        <div className={classes.card}>
          {rows === 0 ? (
            <p className={classes.none}>{t('table.noneOfFilter')}</p>
          ) : (
            <PartBoundary>{children}</PartBoundary>
          )}
        </div>
      )}
    </>
  )
}

/** Rows of the real height, later ones fainter. */
function TableSkeleton() {
  const t = useText()
  return (
    <div className={classes.card} role="status" aria-label={t('common.loading')}>
      {[1, 0.85, 0.7, 0.55, 0.4].map((opacity) => (
        <div key={opacity} className={classes.skeleton} style={{ opacity }}>
          <Skeleton height={14} width="14%" />
          <Skeleton height={14} width="20%" />
          <Skeleton height={14} width="26%" />
          <Skeleton height={14} width="16%" />
        </div>
      ))}
    </div>
  )
}
