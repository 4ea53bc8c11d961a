import type { Backup, BackupMachine } from '@atoll/contract/backups'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { SettingRow, SettingRows } from '../../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { RetentionDialog } from '../dialogs/RetentionDialog.tsx'
import { ScheduleDialog } from '../dialogs/ScheduleDialog.tsx'
import { keepWords, scheduleWords } from '../plan-words.ts'

/** When a backup runs and which snapshots it keeps, with the way to change either. */
export function PlanRows({ backup, machine }: { backup: Backup; machine: BackupMachine | null }) {
  const t = useText()
  const locale = useLocale()
  const [changing, setChanging] = useState<'when' | 'keep'>()
  const { schedule, timeZone, keep, actions } = backup
  const change = (what: 'when' | 'keep') =>
    actions.includes('edit') && (
      <Button
        size="xs"
        aria-label={t('common.labelled', { label: t(`backups.${what}`), value: t('backups.change') })}
        onClick={() => setChanging(what)}
      >
        {t('backups.change')}
      </Button>
    )
  const onClose = () => setChanging(undefined)
  return (
    <section aria-label={t('backups.plan')}>
      <SettingRows>
        <SettingRow
          title={t('backups.when')}
          text={[scheduleWords(schedule, t, locale), timeZone].join(t('money.dot'))}
        >
          {change('when')}
        </SettingRow>
        <SettingRow title={t('backups.keep')} text={keepWords(keep, t)}>
          {change('keep')}
        </SettingRow>
      </SettingRows>
      {changing === 'when' && <ScheduleDialog backup={backup} machine={machine} onClose={onClose} />}
      {changing === 'keep' && <RetentionDialog backup={backup} onClose={onClose} />}
    </section>
  )
}
