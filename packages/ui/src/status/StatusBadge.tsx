import { type ClusterStatus, type StatusLook, statusTable } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import classes from './StatusBadge.module.css'
import { StatusDot } from './StatusDot.tsx'

interface StatusBadgeProps {
  status: ClusterStatus
  locale: Locale
  /** In tables: no border, the text of the row. */
  bare?: boolean
  /** What we last knew, not what is: the dot turns grey. */
  stale?: boolean
}

/** A cluster's or an instance's status, with the label and look of the contract's status table. */
export function StatusBadge({ status, locale, bare = false, stale = false }: StatusBadgeProps) {
  const look: StatusLook = statusTable[status]
  return (
    <span
      className={bare ? classes.bare : classes.badge}
      data-tint={look.needsYou && !stale ? look.colour : undefined}
      data-status={status}
    >
      <StatusDot colour={stale ? 'grey' : look.colour} shape={look.shape} />
      {look.label[locale]}
    </span>
  )
}
