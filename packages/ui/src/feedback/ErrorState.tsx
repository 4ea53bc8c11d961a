import { IconPlugConnectedX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './ErrorState.module.css'

interface ErrorStateProps {
  /** What failed. */
  title: ReactNode
  /** The catalogue's text. */
  children: ReactNode
  /** Retry, and 'Copy details'. */
  actions?: ReactNode
}

/** A part of a page that could not be shown: what failed, why, and what to do. */
export function ErrorState({ title, children, actions }: ErrorStateProps) {
  return (
    <section className={classes.card} role="alert">
      <IconPlugConnectedX className={classes.icon} size={20} stroke={1.6} aria-hidden="true" />
      <div className={classes.body}>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.text}>{children}</p>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
    </section>
  )
}
