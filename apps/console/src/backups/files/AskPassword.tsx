import { type Backup, type BackupMachine, hasControlCharacter } from '@atoll/contract/backups'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useText } from '../../locales/text.ts'
import { PasswordField } from '../dialogs/PasswordField.tsx'
import classes from './Files.module.css'

interface AskPasswordProps {
  backup: Backup
  machine: BackupMachine
  /** One was entered and opens nothing. */
  wasWrong: boolean
  onPassword: (password: string) => void
}

/** The machine does not keep the password, without which no name can be read. */
export function AskPassword({ backup, machine, wasWrong, onPassword }: AskPasswordProps) {
  const t = useText()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState(wasWrong ? t('backups.look.wrongPassword') : undefined)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (password === '') return setProblem(t('backups.passwordMissing'))
    if (hasControlCharacter(password)) return setProblem(t('backups.passwordControl'))
    onPassword(password)
  }
  return (
    <form className={classes.ask} onSubmit={submit} noValidate>
      <h2>{t('backups.look.askPassword')}</h2>
      <PasswordField
        kind="current"
        backupName={backup.name}
        value={password}
        onChange={setPassword}
        clusterName={machine.clusterName}
        problem={problem}
        machineKey={machine.key}
      />
      <Button type="submit" variant="filled">
        {t('backups.look.showNames')}
      </Button>
    </form>
  )
}
