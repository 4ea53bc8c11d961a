import { useDelayed } from '@atoll/ui'
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { isMissing } from '../../data/call-failure.ts'
import { useText } from '../../locales/text.ts'
import { LoadFailure } from './LoadFailure.tsx'
import { StaleNotice } from './StaleNotice.tsx'

interface ObjectPageProps<Data> {
  /** The result of `useCall` for the object. */
  query: { data: Data | undefined; error: Error | null; dataUpdatedAt: number; refetch: () => Promise<unknown> }
  /** The page's title before its object is known; absent: its heading stands above already. */
  page?: string
  /** The sentence for missing content: 'The backup did not load'. */
  errorTitle: string
  /** In its place when there is none, or none that this account may see; absent: there always is one. */
  gone?: ReactNode
  /** Absent: a name, figures, and what it holds. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

/** The page of one object in its states: loading, failed, not there, full and, with it, old. */
export function ObjectPage<Data>({
  query,
  page,
  errorTitle,
  gone,
  skeleton = <Outline />,
  children,
}: ObjectPageProps<Data>) {
  const { data, error, refetch } = query
  const isAwaited = useDelayed(data === undefined && !error)
  if (data !== undefined) {
    return (
      <>
        {error && <StaleNotice error={error} updatedAt={query.dataUpdatedAt} onRetry={() => void refetch()} />}
        {children(data)}
      </>
    )
  }
  if (error && isMissing(error) && gone !== undefined) return gone
  if (error)
    return <LoadFailure {...(page !== undefined && { page })} title={errorTitle} error={error} onRetry={refetch} />
  return isAwaited && skeleton
}

function Outline() {
  const t = useText()
  return (
    <div role="status" aria-label={t('common.loading')}>
      <Skeleton height={36} width={260} mb={24} />
      <Skeleton height={92} mb={16} />
      <Skeleton height={260} />
    </div>
  )
}
