import type { ReactNode } from 'react'
import { Contours } from '../brand/Contours.tsx'
import classes from './EmptyState.module.css'

interface EmptyStateProps {
  title: ReactNode
  /** It is all that the page shows, so its title is the page's. */
  page?: boolean
  /** The purpose of the empty place, in one sentence. */
  children: ReactNode
  /** The one next step, and at most one quiet other. */
  actions?: ReactNode
  /** Small facts under the actions. */
  facts?: { icon: ReactNode; text: string }[]
  /** As tall as a page's only content. */
  tall?: boolean
}

/** Says what a place is for and offers the one next step; the motif at its right. */
export function EmptyState({ title, page = false, children, actions, facts = [], tall = false }: EmptyStateProps) {
  const Heading = page ? 'h1' : 'h2'
  return (
    <section className={classes.card} data-tall={tall || undefined}>
      <div className={classes.art}>
        <Contours shape="islet" className={classes.contours} />
      </div>
      <div className={classes.body}>
        <Heading className={classes.title}>{title}</Heading>
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
