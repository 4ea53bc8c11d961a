import type { ReactNode } from 'react'
import classes from './AloneList.module.css'

interface AloneListProps {
  title: string
  lead: string
  /** One row a choice. */
  children: ReactNode
  actions: ReactNode
}

/** A page that is one list to choose from, without header or shell (spec §2: `/accountList`, `/languageList`). */
export function AloneList({ title, lead, children, actions }: AloneListProps) {
  return (
    <main className={classes.page}>
      <h1 tabIndex={-1}>{title}</h1>
      <p className={classes.lead}>{lead}</p>
      <div className={classes.list}>{children}</div>
      <div className={classes.actions}>{actions}</div>
    </main>
  )
}
