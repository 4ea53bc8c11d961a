import type { ReactNode } from 'react'
import classes from './FactRows.module.css'

interface FactRowsProps {
  children: ReactNode
  /** Below the facts, in the same card. */
  footer?: ReactNode
}

/** A card of named facts with hairlines between. */
export function FactRows({ children, footer }: FactRowsProps) {
  return (
    <div className={classes.card}>
      <dl>{children}</dl>
      {footer}
    </div>
  )
}

/** Cards and notices below each other. */
export function FactStack({ children }: { children: ReactNode }) {
  return <div className={classes.stack}>{children}</div>
}

interface FactRowProps {
  name: string
  children: ReactNode
}

export function FactRow({ name, children }: FactRowProps) {
  return (
    <div className={classes.row}>
      <dt className={classes.name}>{name}</dt>
      <dd className={classes.value}>{children}</dd>
    </div>
  )
}
