import type { BadgeColour, BadgeShape } from '@atoll/contract/clusters'
import type { ReactNode } from 'react'
import classes from './StatusBadge.module.css'
import { StatusDot } from './StatusDot.tsx'

interface StateBadgeProps {
  colour: BadgeColour
  shape: BadgeShape
  children: ReactNode
  /** It needs the reader: tinted, with its word in the colour. */
  tint?: 'amber' | 'coral' | undefined
  /** In tables: no border, the text of the row. */
  bare?: boolean
  status?: string
}

/** The state of anything in a word, with its dot. */
export function StateBadge({ colour, shape, children, tint, bare = false, status }: StateBadgeProps) {
  return (
    <span className={bare ? classes.bare : classes.badge} data-tint={tint} data-status={status}>
      <StatusDot colour={colour} shape={shape} />
      {children}
    </span>
  )
}
