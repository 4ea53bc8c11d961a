import { IconBackspace } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useText } from '../i18n/text.ts'
import classes from './Keypad.module.css'

interface KeypadProps {
  disabled: boolean
  onDigit(digit: string): void
  onErase(): void
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0']

/** Ten digits and erase, for thumbs; a hardware keyboard types too. */
export function Keypad({ disabled, onDigit, onErase }: KeypadProps) {
  const t = useText()
  useEffect(() => {
    if (disabled) return
    const type = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('[role="dialog"]')) return
      if (/^\d$/.test(event.key)) onDigit(event.key)
      if (event.key === 'Backspace') onErase()
    }
    addEventListener('keydown', type)
    return () => removeEventListener('keydown', type)
  }, [disabled, onDigit, onErase])
  return (
    <fieldset className={classes.pad} aria-label={t('passcode.keypad')} disabled={disabled}>
      {digits.map((digit) => (
        <button key={digit} type="button" className={classes.key} data-digit={digit} onClick={() => onDigit(digit)}>
          {digit}
        </button>
      ))}
      <button type="button" className={classes.erase} aria-label={t('passcode.erase')} onClick={onErase}>
        <IconBackspace size={23} stroke={1.6} aria-hidden="true" />
      </button>
    </fieldset>
  )
}
