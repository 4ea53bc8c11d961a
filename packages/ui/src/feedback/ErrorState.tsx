import { IconPlugConnectedX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './ErrorState.module.css'

interface ErrorStateProps {
  /** The failed action. */
  title: ReactNode
  /** It is all that the page shows, so its title is the page's. */
  page?: boolean
  /** The catalogue's text; nothing where the failure is passed on silently. */
  children?: ReactNode
  /** Retry, and 'Copy details'. */
  actions?: ReactNode
}

/** A part of a page that could not be shown: what failed, why, and what to do. */
export function ErrorState({ title, page = false, children, actions }: ErrorStateProps) {
  const Heading = page ? 'h1' : 'h2'
  return (
    <section className={classes.card} role="alert">
      <IconPlugConnectedX className={classes.icon} size={20} stroke={1.6} aria-hidden="true" />
      <div className={classes.body}>
        <Heading className={classes.title}>{title}</Heading>
        {children && <p className={classes.text}>{children}</p>}
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
    </section>
  )
}
