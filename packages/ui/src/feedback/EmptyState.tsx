import type { ReactNode } from 'react'
import { Contours } from '../brand/Contours.tsx'
import classes from './EmptyState.module.css'

interface EmptyStateProps {
  title: ReactNode
  /** What it is for, in one sentence. */
  children: ReactNode
  /** The one next step, and at most one quiet other. */
  actions?: ReactNode
  /** Small facts under the actions. */
  facts?: { icon: ReactNode; text: string }[]
  /** As tall as a page's only content. */
  tall?: boolean
}

/** Says what a place is for and offers the one next step; the motif at its right. */
export function EmptyState({ title, children, actions, facts = [], tall = false }: EmptyStateProps) {
  return (
    <section className={classes.card} data-tall={tall || undefined}>
      <div className={classes.art}>
        <Contours shape="islet" className={classes.contours} />
      </div>
      <div className={classes.body}>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.text}>{children}</p>
        {actions && <div className={classes.actions}>{actions}</div>}
        {facts.length > 0 && (
          <ul className={classes.facts}>
            {facts.map((fact) => (
              <li key={fact.text}>
                {fact.icon}
                <span>{fact.text}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
