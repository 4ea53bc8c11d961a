import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { type Backup, type BackupMachine, backupChangePassword } from '@atoll/contract/backups'
import { Button, Checkbox } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { makePassword } from './make-password.ts'
import { PasswordField } from './PasswordField.tsx'
import { RecoveryNotice } from './RecoveryNotice.tsx'
import { usePasswordFault, useSealing } from './use-sealed.ts'

interface ChangePasswordDialogProps {
  backup: Backup
  machine: BackupMachine | null
  onClose: () => void
}

/** Another password for a backup whose machine keeps the current one, which nobody has to enter (board 49). */
export function ChangePasswordDialog({ backup, machine, onClose }: ChangePasswordDialogProps) {
  const t = useText()
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [isWritten, setWritten] = useState(false)
  const [problems, setProblems] = useState<Record<string, string>>({})
  const sealing = useSealing(machine)
  const faultOf = usePasswordFault()
  const change = useCallMutation(backupChangePassword)
  const locale = useLocale()
  const { backupId, name, clusterName, snapshots, nextAt } = backup
  function submit(event: FormEvent) {
    event.preventDefault()
    const fault = faultOf(password)
    const found = {
      ...(fault && { password: fault }),
      ...(!fault && password !== again && { again: t('backups.passwordDiffers') }),
      ...(!isWritten && { written: t('backups.writtenMissing') }),
    }
    setProblems(found)
    if (Object.keys(found).length > 0 || change.isPending) return
    sealing.seal(password, (box) => box !== undefined && change.mutate({ backupId, box }, { onSuccess: onClose }))
  }
  const typing = (set: (value: string) => void) => (value: string) => {
    set(value)
    setProblems({})
  }
  return (
    <FormDialog opened onClose={onClose} size={560} title={t('backups.changeTitle', { name })}>
      <form onSubmit={submit} noValidate>
        <p className={dialog.text}>{t('backups.changeText', { cluster: clusterName, count: snapshots })}</p>
        {nextAt !== null && (
          <p className={dialog.text}>
            {t('backups.changeNext', { time: formatDeadline(nextAt, serverNow(), locale) })}
          </p>
        )}
        <div className={classes.fields}>
          <div className={classes.pair}>
            <PasswordField
              kind="new"
              backupName={name}
              value={password}
              onChange={typing(setPassword)}
              clusterName={clusterName}
              label={t('backups.passwordNew')}
              problem={problems['password'] ?? sealing.problem}
              machineKey={machine?.key}
              autoFocus
            />
            <PasswordField
              kind="new"
              label={t('backups.passwordAgain')}
              value={again}
              onChange={typing(setAgain)}
              clusterName={clusterName}
              problem={problems['again']}
            />
          </div>
          <div>
            <Button
              size="xs"
              variant="subtle"
              onClick={() => {
                const made = makePassword()
                setPassword(made)
                setAgain(made)
                setProblems({})
              }}
            >
              {t('backups.makeOne')}
            </Button>
          </div>
          <RecoveryNotice name={name} clusterName={clusterName} password={password} />
          <Checkbox
            checked={isWritten}
            onChange={({ currentTarget }) => {
              setWritten(currentTarget.checked)
              setProblems({})
            }}
            label={t('backups.written')}
            error={problems['written']}
          />
        </div>
        <DialogFooter error={change.error}>
          <Button onClick={onClose}>{t('backups.changeKeep')}</Button>
          <Button type="submit" variant="filled" loading={change.isPending || sealing.isSealing}>
            {t('backups.changeAct')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
