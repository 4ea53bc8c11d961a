import { type Backup, type BackupMachine, backupUpdate } from '@atoll/contract/backups'
import { Button, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CallFailure } from '../../data/call-failure.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { PageDialog } from '../../kit/dialog/PageDialog.tsx'
import { useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { ScheduleFields } from './ScheduleFields.tsx'
import { findSlotOwner } from './SlotGrid.tsx'

interface ScheduleDialogProps {
  backup: Backup
  /** Null: its cluster is gone. */
  machine: BackupMachine | null
  onClose: () => void
}

/** When a backup runs, and by which clock all backups of its cluster go. */
export function ScheduleDialog({ backup, machine, onClose }: ScheduleDialogProps) {
  const t = useText()
  const { backupId, name, clusterName } = backup
  const taken = machine?.slots.filter((slot) => slot.backupId !== backupId) ?? []
  const [schedule, setSchedule] = useState(backup.schedule)
  const [timeZone, setTimeZone] = useState(backup.timeZone)
  const update = useCallMutation(backupUpdate)
  const { error } = update
  const refused = error instanceof CallFailure && error.field === 'schedule' ? error.message : undefined
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!update.isPending) update.mutate({ backupId, schedule, timeZone }, { onSuccess: onClose })
  }
  const zones = [...new Set([backup.timeZone, ...Intl.supportedValuesOf('timeZone')])].sort()
  return (
    <PageDialog opened onClose={onClose} size={560} title={t('backups.scheduleTitle', { name })}>
      <form onSubmit={submit} noValidate>
        <div className={classes.fields}>
          <ScheduleFields
            value={schedule}
            onChange={(chosen) => {
              setSchedule(chosen)
              update.reset()
            }}
            timeZone={timeZone}
            isZoneAsked
            problem={refused}
            taken={taken}
          />
          <NativeSelect
            label={t('backups.zone')}
            description={t('backups.zoneAll', { cluster: clusterName })}
            inputWrapperOrder={['label', 'input', 'description']}
            value={timeZone}
            onChange={({ currentTarget }) => setTimeZone(currentTarget.value)}
            data={zones}
          />
        </div>
        <DialogFooter error={refused === undefined ? error : null}>
          <Button onClick={onClose}>{t('backups.cancel')}</Button>
          <Button
            type="submit"
            variant="filled"
            loading={update.isPending}
            disabled={findSlotOwner(schedule, taken) !== undefined}
          >
            {t('backups.save')}
          </Button>
        </DialogFooter>
      </form>
    </PageDialog>
  )
}
