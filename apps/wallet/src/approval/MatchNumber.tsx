import { useCallback } from 'react'
import { useText } from '../i18n/text.ts'
import { Keypad } from '../passcode/Keypad.tsx'
import classes from './MatchNumber.module.css'

export const matchNumberLength = 2

interface MatchNumberProps {
  /** Typed so far. */
  value: string
  onChange(value: string): void
  disabled: boolean
}

/**
 * The two digits beside the code on the other screen. A code that somebody passes on comes without that screen, and
 * the site takes no signature with another number.
 */
export function MatchNumber({ value, onChange, disabled }: MatchNumberProps) {
  const t = useText()
  const addDigit = useCallback(
    // A third digit starts again, so that both can be corrected.
    (digit: string) => onChange(value.length < matchNumberLength ? value + digit : digit),
    [value, onChange],
  )
  const erase = useCallback(() => onChange(value.slice(0, -1)), [value, onChange])
  return (
    <section className={classes.entry}>
      <h2 className={classes.ask}>{t('approve.typeNumber')}</h2>
      <div className={classes.cells} role="img" aria-label={t('approve.number', { count: value.length })}>
        {[0, 1].map((place) => (
          <span key={place} className={classes.cell} data-next={place === value.length || undefined}>
            {value[place]}
          </span>
        ))}
      </div>
      <p className={classes.help}>{t('approve.noNumber')}</p>
      <Keypad disabled={disabled} onDigit={addDigit} onErase={erase} />
    </section>
  )
}
