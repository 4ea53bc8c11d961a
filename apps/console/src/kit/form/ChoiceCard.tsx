import { type ReactNode, useEffect, useRef } from 'react'
import classes from './ChoiceCard.module.css'

interface ChoiceCardProps {
  /** Name of the group of which one is chosen. */
  group: string
  value: string
  chosen: boolean
  onChoose: () => void
  /** Cannot be chosen; the card says why in its own words. */
  disabled?: boolean
  /** It is what a person comes back to: it takes focus as it appears, also inside of a dialog that opens. */
  takesFocus?: boolean
  /** Where the mark stands. */
  mark: 'left' | 'right'
  children: ReactNode
}

/** A radio button as large as what it stands for. Keyboard and names are the native input's. */
export function ChoiceCard({
  group,
  value,
  chosen,
  onChoose,
  disabled = false,
  takesFocus = false,
  mark,
  children,
}: ChoiceCardProps) {
  const input = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it appears, never later
  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [])
  return (
    <label className={classes.card} data-mark={mark} data-disabled={disabled || undefined}>
      <input
        ref={input}
        data-autofocus={takesFocus || undefined}
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
