import { PasswordInput } from '@mantine/core'
import { useText } from '../../kit/i18n/text.ts'
import classes from '../Backups.module.css'

interface PasswordFieldProps {
  value: string
  onChange: (value: string) => void
  clusterName: string
  problem: string | undefined
  autoFocus?: boolean
  label?: string
}

/** The backup password. It leaves the browser sealed to the machine's key. */
export function PasswordField({ value, onChange, clusterName, problem, autoFocus, label }: PasswordFieldProps) {
  const t = useText()
  return (
    <div>
      <PasswordInput
        label={label ?? t('backups.password')}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={problem}
        autoComplete="off"
        maxLength={256}
        {...(autoFocus && { 'data-autofocus': true })}
      />
      {label === undefined && <p className={classes.help}>{t('backups.sealed', { cluster: clusterName })}</p>}
    </div>
  )
}
