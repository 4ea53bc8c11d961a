import { IconCreditCard } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './CardMark.module.css'

/** A small plate with what pays: a card's brand, or an icon. */
export function MeansMark({ children }: { children: ReactNode }) {
  return (
    <span className={classes.plate} aria-hidden="true">
      {children}
    </span>
  )
}

/** The mark of a card's brand; the name stands beside it. */
export function CardMark({ brand }: { brand: string | undefined }) {
  if (brand === 'visa') {
    return (
      <MeansMark>
        <svg viewBox="0 0 40 14" width={32} height={11} aria-hidden="true">
          <text className={classes.visa} x="20" y="12" textAnchor="middle">
            {brand}
          </text>
        </svg>
      </MeansMark>
    )
  }
  if (brand === 'mastercard') {
    return (
      <MeansMark>
        <svg viewBox="0 0 22 14" width={22} height={14} aria-hidden="true">
          <circle className={classes.left} cx="8" cy="7" r="6" />
          <circle className={classes.right} cx="14" cy="7" r="6" />
        </svg>
      </MeansMark>
    )
  }
  return (
    <MeansMark>
      <IconCreditCard size={16} stroke={1.6} />
    </MeansMark>
  )
}
