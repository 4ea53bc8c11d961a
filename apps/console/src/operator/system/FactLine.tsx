import type { BadgeColour } from '@atoll/contract/clusters'
import { StatusDot } from '@atoll/ui'
import type { ReactNode } from 'react'
import classes from './System.module.css'

interface FactLineProps {
  /** How good it is. */
  tone: BadgeColour
  title: ReactNode
  /** Details, after the title. */
  text?: ReactNode
  /** Buttons that act on it. */
  children?: ReactNode
}

/** One fact in a card: well or not, in words, with what mends it. */
export function FactLine({ tone, title, text, children }: FactLineProps) {
  return (
    <li className={classes.line}>
      <StatusDot colour={tone} shape={tone === 'green' ? 'disc' : tone === 'coral' ? 'square' : 'hollow'} />
      <span className={classes.words}>
        <b>{title}</b> {text && <span className="soft">{text}</span>}
      </span>
      {children && <span className={classes.acts}>{children}</span>}
    </li>
  )
}
