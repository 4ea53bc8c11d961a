import {
  allRestoreWays,
  type Backup,
  type BackupMachine,
  backupRestore,
  backupSnapshot,
  type RestoreWay,
  type Snapshot,
} from '@atoll/contract/backups'
import { formatBytes } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { ChoiceCard } from '../../kit/form/ChoiceCard.tsx'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { countFiles } from '../plan-words.ts'
import { PasswordField } from './PasswordField.tsx'
import { RoomAfter } from './RoomAfter.tsx'
import { useSealing } from './use-sealed.ts'

interface RestoreDialogProps {
  backup: Backup
  machine: BackupMachine | null
  snapshot: Snapshot
  /** Where its files are not shown already, some of them can be chosen. */
  canChoose?: boolean
  onClose: () => void
}

const acts = { newFolder: 'restoreFolder', replace: 'restoreReplace', newCluster: 'restoreCluster' } as const

/** Brings the files of a snapshot back: beside what is there, in its place, or on a new cluster. */
export function RestoreDialog({ backup, machine, snapshot, canChoose = false, onClose }: RestoreDialogProps) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  // A cluster that is gone leaves one way.
  const ways: readonly RestoreWay[] = machine ? allRestoreWays : ['newCluster']
  const [way, setWay] = useState<RestoreWay>(machine ? 'newFolder' : 'newCluster')
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const sealing = useSealing(machine)
  const restore = useCallMutation(backupRestore)
  const { backupId, name, clusterName, needsPassword } = backup
  const { snapshotId, files, size } = snapshot
  const seconds = useCall(backupSnapshot, { snapshotId }).data?.seconds ?? null
  const minutes = seconds === null ? undefined : Math.max(1, Math.ceil(seconds / 60))
  function submit(event: FormEvent) {
    event.preventDefault()
    if (way === 'newCluster') return void navigate({ to: '/create/{-$uid}', params: { uid: snapshotId } })
    const lacks = needsPassword && password === ''
    setMissing(lacks)
    if (lacks || restore.isPending) return
    sealing.seal(password, (box) =>
      restore.mutate({ backupId, snapshotId, way, ...(box !== undefined && { box }) }, { onSuccess: onClose }),
    )
  }
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t('backups.restoreTitle', { time: formatDayAndTimeWithin(snapshot.createdAt, serverNow(), locale) })}
    >
      <form onSubmit={submit} noValidate>
        <p className={dialog.text}>
          {t('backups.restoreText', { name, size: formatBytes(size ?? 0, locale), ...countFiles(files, locale) })}
        </p>
        <div className={dialog.choices} role="radiogroup" aria-label={t('backups.restoreWhere')}>
          {ways.map((each) => (
            <ChoiceCard
              key={each}
              group="way"
              value={each}
              mark="left"
              chosen={way === each}
              onChoose={() => setWay(each)}
            >
              <span className={dialog.choice}>{t(`backups.${each}`, { cluster: clusterName })}</span>
              <span className={dialog.choiceHelp}>{t(`backups.${each}Help`)}</span>
            </ChoiceCard>
          ))}
        </div>
        {way !== 'newCluster' && <RoomAfter clusterId={backup.clusterId} bytes={size} />}
        {needsPassword && way !== 'newCluster' && (
          <div className={classes.fields}>
            <PasswordField
              kind="current"
              backupName={name}
              value={password}
              onChange={setPassword}
              clusterName={clusterName}
              problem={isMissing ? t('backups.passwordMissing') : sealing.problem}
            />
          </div>
        )}
        {(canChoose || minutes !== undefined) && (
          <p className={classes.restoreFacts}>
            {canChoose && (
              <Link to="/backupDetails/$backupId" params={{ backupId }} search={{ snapshot: snapshotId }}>
                {t('backups.chooseFiles')}
              </Link>
            )}
            {minutes !== undefined && <span className="quiet">{t('backups.look.minutes', { count: minutes })}</span>}
          </p>
        )}
        <DialogFooter error={restore.error}>
          <Button onClick={onClose}>{t('backups.cancel')}</Button>
          <Button
            type="submit"
            variant={way === 'replace' ? 'danger' : 'filled'}
            loading={restore.isPending || sealing.isSealing}
          >
            {t(`backups.${acts[way]}`)}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
