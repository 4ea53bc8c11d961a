import type { ReactNode } from 'react'
import classes from './FileToolbar.module.css'

interface FileToolbarProps {
  children: ReactNode
}

/** The line above the files; as high whatever stands in it, so that nothing below moves. */
export function FileToolbar({ children }: FileToolbarProps) {
  return <div className={classes.toolbar}>{children}</div>
}
