import { StatusDot } from '@atoll/ui'
import type { ReactNode } from 'react'
import classes from './WaitingLine.module.css'

/** An event elsewhere that shows here without a reload. */
export function WaitingLine({ children }: { children: ReactNode }) {
  return (
    <p className={classes.line} role="status">
      <StatusDot colour="amber" shape="ring" size={16} />
      <span>{children}</span>
    </p>
  )
}
