import { type BackupMachine, keyFingerprint } from '@atoll/contract/backups'
import { PasswordInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'

interface PasswordFieldProps {
  value: string
  onChange: (value: string) => void
  /** Whether it is chosen here or is the one that the backup has: what a password manager offers. */
  kind: 'new' | 'current'
  /** Under which a password manager keeps it; left out beside another field of the same form. */
  backupName?: string | undefined
  clusterName: string
  problem: string | undefined
  autoFocus?: boolean
  label?: string
  /** Of the machine for which it is sealed, where that is there: its fingerprint is shown. */
  machineKey?: BackupMachine['key'] | undefined
}

/** The backup password. It leaves the browser sealed to the machine's key. */
export function PasswordField({
  value,
  onChange,
  kind,
  backupName,
  clusterName,
  problem,
  autoFocus,
  label,
  machineKey,
}: PasswordFieldProps) {
  const t = useText()
  const fingerprint = useFingerprint(machineKey ?? null)
  return (
    <div>
      {backupName !== undefined && <input hidden readOnly autoComplete="username" value={backupName} />}
      <PasswordInput
        label={label ?? t('backups.password')}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={problem}
        visibilityToggleButtonProps={{
          'aria-label': t('common.labelled', { label: label ?? t('backups.password'), value: t('access.show') }),
        }}
        autoComplete={`${kind}-password`}
        maxLength={256}
        {...(autoFocus && { 'data-autofocus': true })}
      />
      {label === undefined && <p className={classes.help}>{t('backups.sealed', { cluster: clusterName })}</p>}
      {fingerprint !== undefined && (
        <p className={classes.help}>
          {t('backups.keyShown')} <code>{fingerprint}</code>
        </p>
      )}
    </div>
  )
}

/** Undefined until it is known. */
function useFingerprint(key: BackupMachine['key']): string | undefined {
  const [known, setKnown] = useState<{ of: BackupMachine['key']; text: string }>()
  useEffect(() => {
    let isWanted = true
    // A page without TLS has no such functions; sealing says so when it is tried.
    const found = key && keyFingerprint(key).catch(() => undefined)
    void found?.then((text) => {
      if (isWanted && text !== undefined) setKnown({ of: key, text })
    })
    return () => {
      isWanted = false
    }
  }, [key])
  return known !== undefined && known.of === key ? known.text : undefined
}
