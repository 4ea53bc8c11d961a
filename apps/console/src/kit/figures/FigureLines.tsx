import type { ReactNode } from 'react'
import classes from './FigureLines.module.css'

interface FigureLinesProps {
  /** `table`: hairlines in a frame, for a dialog; `list`: bare, for a card. */
  form: 'table' | 'list'
  /** Whose sum it is, for screen readers. */
  label: string
  children: ReactNode
}

/** Amounts that come to one another, a `FigureLine` each. */
export function FigureLines({ form, label, children }: FigureLinesProps) {
  return (
    <ul className={classes.lines} data-form={form} aria-label={label}>
      {children}
    </ul>
  )
}
