import type { PasswordStrength } from '../api/password-strength.ts'
import { useText } from '../i18n/text.ts'
import classes from './StrengthBar.module.css'

interface StrengthBarProps {
  id: string
  strength: PasswordStrength
  limits: { min: number; max: number }
}

/** How many of the four parts are filled. */
const filled: Record<PasswordStrength, number> = { empty: 0, short: 0, long: 0, weak: 1, fair: 2, good: 3, strong: 4 }
const parts = [1, 2, 3, 4]

/** Four parts and a word: how hard a password is to guess. */
export function StrengthBar({ id, strength, limits }: StrengthBarProps) {
  const t = useText()
  return (
    <div className={classes.strength} data-strength={strength}>
      <div className={classes.parts} aria-hidden="true">
        {parts.map((part) => (
          <i key={part} className={classes.part} data-filled={part <= filled[strength] || undefined} />
        ))}
      </div>
      <p id={id} className={classes.word} role="status">
        {t(`wizard.strength.${strength}`, limits)}
      </p>
    </div>
  )
}
