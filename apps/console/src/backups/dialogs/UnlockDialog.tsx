import { type Backup, type BackupMachine, backupRun } from '@atoll/contract/backups'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { PasswordField } from './PasswordField.tsx'
import { useSealing } from './use-sealed.ts'

interface UnlockDialogProps {
  backup: Backup
  machine: BackupMachine | null
  onClose: () => void
}

/** The machine does not have the password: asked for it, then backs up. */
export function UnlockDialog({ backup, machine, onClose }: UnlockDialogProps) {
  const t = useText()
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const sealing = useSealing(machine)
  const run = useCallMutation(backupRun)
  const { backupId, name, clusterName } = backup
  function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(password === '')
    if (password === '' || run.isPending) return
    sealing.seal(password, (box) => run.mutate({ backupId, ...(box !== undefined && { box }) }, { onSuccess: onClose }))
  }
  return (
    <FormDialog opened onClose={onClose} title={t('backups.unlockTitle', { name })}>
      <form onSubmit={submit} noValidate>
        <p className={dialog.text}>{t('backups.unlockText', { cluster: clusterName })}</p>
        <div className={classes.fields}>
          <PasswordField
            kind="current"
            backupName={name}
            value={password}
            onChange={setPassword}
            clusterName={clusterName}
            problem={isMissing ? t('backups.passwordMissing') : sealing.problem}
            machineKey={machine?.key}
            autoFocus
          />
        </div>
        <DialogFooter error={run.error}>
          <Button onClick={onClose}>{t('backups.cancel')}</Button>
          <Button type="submit" variant="filled" loading={run.isPending || sealing.isSealing}>
            {t('backups.runNow')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
