import type { ReactNode } from 'react'
import classes from './FigureLines.module.css'

interface FigureLineProps {
  label: ReactNode
  /** Beside the label, quieter. */
  detail?: ReactNode
  amount: ReactNode
  /** The total of the lines above. */
  total?: boolean
}

/** A line of a sum: what it is at the left, how much at the right. */
export function FigureLine({ label, detail, amount, total = false }: FigureLineProps) {
  return (
    <li className={classes.line} data-total={total || undefined}>
      <span className={classes.words}>
        <span>{label}</span>
        {detail && <span className={classes.detail}>{detail}</span>}
      </span>
      <span className={classes.amount}>{amount}</span>
    </li>
  )
}
