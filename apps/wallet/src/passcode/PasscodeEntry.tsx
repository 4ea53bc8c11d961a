import { useCallback, useState } from 'react'
import { useText } from '../i18n/text.ts'
import { Keypad } from './Keypad.tsx'
import classes from './PasscodeEntry.module.css'

const passcodeLength = 6
const places = Array.from({ length: passcodeLength }, (_, index) => index)

interface PasscodeEntryProps {
  /** Called with six digits, which are forgotten here at the same moment. */
  onComplete(passcode: string): void
  /** The message below the cells: why the last try failed, or nothing. */
  message?: string | undefined
  /** Waiting for an answer. */
  busy?: boolean
  /** No digits are taken. */
  disabled?: boolean
}

/** Six cells and a keypad. The digits live here only while they are typed. */
export function PasscodeEntry({ onComplete, message, busy = false, disabled = false }: PasscodeEntryProps) {
  const t = useText()
  const [typed, setTyped] = useState('')
  const addDigit = useCallback(
    (digit: string) => {
      const next = typed + digit
      setTyped(next.length < passcodeLength ? next : '')
      if (next.length === passcodeLength) onComplete(next)
    },
    [typed, onComplete],
  )
  const erase = useCallback(() => setTyped((before) => before.slice(0, -1)), [])
  const shown = busy ? passcodeLength : typed.length
  return (
    <div className={classes.entry}>
      <div className={classes.cells} role="img" aria-label={t('passcode.digits', { count: shown })}>
        {places.map((index) => (
          <span
            key={index}
            className={classes.cell}
            data-filled={index < shown || undefined}
            data-next={(index === shown && !disabled) || undefined}
          />
        ))}
      </div>
      <p className={classes.message} role="status" data-quiet={busy || undefined}>
        {busy ? t('passcode.working') : message}
      </p>
      <Keypad disabled={busy || disabled} onDigit={addDigit} onErase={erase} />
    </div>
  )
}
