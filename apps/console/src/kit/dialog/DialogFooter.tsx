import type { ReactNode } from 'react'
import classes from './Dialog.module.css'

interface DialogFooterProps {
  children: ReactNode
}

/** The answers of a dialog: the safe one left of the other. */
export function DialogFooter({ children }: DialogFooterProps) {
  return <div className={classes.footer}>{children}</div>
}
