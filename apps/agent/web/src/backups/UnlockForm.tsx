import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useId } from 'react'
import { unlockBackup } from '../api/backups.ts'
import { useSubmission } from '../drive/use-submission.ts'
import { useText } from '../i18n/text.ts'
import classes from './Backups.module.css'

interface UnlockFormProps {
  backupId: string
  /** Under which a password manager keeps the password, where it is known. */
  backupName?: string
  onDone(): void
}

/** Takes the password of a backup that this server does not have; it goes to this server and nowhere else. */
export function UnlockForm({ backupId, backupName, onDone }: UnlockFormProps) {
  const t = useText()
  const help = useId()
  const { busy, problem, submit, forgive } = useSubmission(onDone)
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    void submit(() => unlockBackup(backupId, password))
  }
  return (
    <form className={classes.unlock} onSubmit={save}>
      {backupName !== undefined && <input hidden readOnly autoComplete="username" value={backupName} />}
      <p id={help}>{t('backups.lockedHelp')}</p>
      <div className={classes.unlockField}>
        <PasswordInput
          name="password"
          label={t('backups.password')}
          aria-describedby={help}
          autoComplete="current-password"
          error={problem}
          visibilityToggleButtonProps={{ 'aria-label': t('wizard.show') }}
          onChange={forgive}
          required
          withAsterisk={false}
        />
        <Button type="submit" variant="filled" loading={busy}>
          {t('backups.unlock')}
        </Button>
      </div>
    </form>
  )
}
