import type { ReactNode } from 'react'
import classes from './ChoiceCard.module.css'

interface ChoiceCardProps {
  /** Name of the group of which one is chosen. */
  group: string
  value: string
  chosen: boolean
  onChoose: () => void
  /** Cannot be chosen; the card says why in its own words. */
  disabled?: boolean
  /** Where the mark stands. */
  mark: 'left' | 'right'
  children: ReactNode
}

/** A radio button as large as what it stands for. Keyboard and names are the native input's. */
export function ChoiceCard({ group, value, chosen, onChoose, disabled = false, mark, children }: ChoiceCardProps) {
  return (
    <label className={classes.card} data-mark={mark} data-disabled={disabled || undefined}>
      <input
        type="radio"
        name={group}
        value={value}
        checked={chosen}
        disabled={disabled}
        onChange={onChoose}
        className={classes.input}
      />
      <span className={classes.mark} aria-hidden="true" />
      <span className="grow">{children}</span>
    </label>
  )
}
