import type { ReactNode } from 'react'
import classes from './DoneScreen.module.css'
import { Screen } from './Screen.tsx'

interface DoneScreenProps {
  title: string
  lead: string
  actions: ReactNode
  children?: ReactNode
}

/** Something is finished: a check in a ring, what it means, what it was. */
export function DoneScreen({ title, lead, actions, children }: DoneScreenProps) {
  return (
    <Screen actions={actions}>
      <div className={classes.done} role="status">
        <svg width="88" height="88" fill="none" aria-hidden="true">
          <circle cx="44" cy="44" r="42" className={classes.ring} />
          <path d="M28 45l11 11 21-24" className={classes.check} />
        </svg>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.lead}>{lead}</p>
      </div>
      {children}
    </Screen>
  )
}
