import { type ClusterStatus, statusLook } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { statusLabel } from '@atoll/texts/statuses'
import { StateBadge } from './StateBadge.tsx'

interface StatusBadgeProps {
  status: ClusterStatus
  locale: Locale
  /** In tables: no border, the text of the row. */
  bare?: boolean
  /** A last known status: the dot turns grey. */
  stale?: boolean
}

/** A cluster's or an instance's status, with its label and the contract's appearance. */
export function StatusBadge({ status, locale, bare = false, stale = false }: StatusBadgeProps) {
  const { colour, shape, needsYou } = statusLook(status)
  return (
    <StateBadge
      colour={stale ? 'grey' : colour}
      shape={shape}
      tint={needsYou && !stale && colour === 'coral' ? 'coral' : undefined}
      bare={bare}
      status={status}
    >
      {statusLabel(status, locale)}
    </StateBadge>
  )
}
