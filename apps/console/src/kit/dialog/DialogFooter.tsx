import type { ReactNode } from 'react'
import { FailureNotice } from '../page/FailureNotice.tsx'
import classes from './Dialog.module.css'

interface DialogFooterProps {
  /** Why what was answered could not be done. */
  error?: Error | null
  children: ReactNode
}

/** The answers of a dialog: the safe one left of the other. */
export function DialogFooter({ error = null, children }: DialogFooterProps) {
  return (
    <>
      <FailureNotice error={error} className={classes.failure} />
      <div className={classes.footer}>{children}</div>
    </>
  )
}
