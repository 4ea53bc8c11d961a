import type { ReactNode } from 'react'
import classes from './PageHeader.module.css'

interface PageHeaderProps {
  title: ReactNode
  /** Beside the title: a badge. */
  badge?: ReactNode
  /** One line under the title. */
  children?: ReactNode
  actions?: ReactNode
}

/** A page's h1 with its line of facts and its actions. The h1 takes focus when the route changes. */
export function PageHeader({ title, badge, children, actions }: PageHeaderProps) {
  return (
    <div className={classes.header}>
      <div className={classes.words}>
        <div className={classes.titleRow}>
          <h1 tabIndex={-1}>{title}</h1>
          {badge}
        </div>
        {children && <div className={classes.facts}>{children}</div>}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}
