import type { ReactNode } from 'react'
import { FailureNotice } from '../page/FailureNotice.tsx'
import classes from './Dialog.module.css'

interface DialogFooterProps {
  /** Why what was answered could not be done. */
  error?: Error | null
  children: ReactNode
}

/**
 * The answers of a dialog: the safe one left of the other. They, and why one failed, stay in sight while what is above
 * them scrolls.
 */
export function DialogFooter({ error = null, children }: DialogFooterProps) {
  return (
    <div className={classes.foot} data-answers>
      <FailureNotice error={error} className={classes.failed} />
      <div className={classes.footer}>{children}</div>
    </div>
  )
}
