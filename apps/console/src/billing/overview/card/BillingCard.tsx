import { Skeleton } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { LoadFailure } from '../../../kit/page/LoadFailure.tsx'
import { PartBoundary } from '../../../kit/page/PartBoundary.tsx'
import { StaleNotice } from '../../../kit/page/StaleNotice.tsx'
import { useText } from '../../../locales/text.ts'
import classes from './BillingCard.module.css'

/** The query of a card, as `useCall` answers. */
export interface CardQuery<Data> {
  data: Data | undefined
  error: Error | null
  refetch: () => Promise<unknown>
  dataUpdatedAt: number
}

interface BillingCardProps<Data> {
  title: string
  /** Beside the title. */
  note?: ReactNode
  /** At the end of the title's line. */
  action?: ReactNode
  query: CardQuery<Data>
  /** The sentence for missing content. */
  errorTitle: string
  /** Of the body while it loads, px: nothing moves when it comes. */
  height: number
  /** The title's line ends with a line. */
  ruled?: boolean
  /** Where there is nothing to show: said in the title's line, which is then the whole card. */
  folded?: ReactNode
  children: (data: Data) => ReactNode
}

/** A part of the billing page that loads, fails and grows old alone. */
export function BillingCard<Data>({
  title,
  note,
  action,
  query,
  errorTitle,
  height,
  ruled = false,
  folded,
  children,
}: BillingCardProps<Data>) {
  const t = useText()
  const id = useId()
  const { data, error, refetch } = query
  const isFolded = data !== undefined && Boolean(folded)
  if (data === undefined && error) return <LoadFailure title={errorTitle} error={error} onRetry={refetch} />
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.header} data-ruled={(ruled && !isFolded) || undefined}>
        <h2 id={id}>{title}</h2>
        {isFolded && <span className="small quiet">{folded}</span>}
        {note !== undefined && <span className="small quiet num">{note}</span>}
        {action !== undefined && <span className={classes.action}>{action}</span>}
      </div>
      {data !== undefined && error && (
        <div className={classes.stale}>
          <StaleNotice error={error} updatedAt={query.dataUpdatedAt} onRetry={refetch} />
        </div>
      )}
      {data === undefined ? (
        <div className={classes.loading} role="status" aria-label={t('common.loading')} style={{ minHeight: height }}>
          <Skeleton height={14} width="60%" />
          <Skeleton height={14} width="40%" mt={14} />
        </div>
      ) : (
        !isFolded && (
          <PartBoundary>
            <Body data={data}>{children}</Body>
          </PartBoundary>
        )
      )}
    </section>
  )
}

/** Drawn by an element of its own, so that what breaks is inside of the boundary. */
function Body<Data>({ data, children }: { data: Data; children: (data: Data) => ReactNode }) {
  return children(data)
}
