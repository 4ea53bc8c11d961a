import type { Backup, BackupMachine } from '@atoll/contract/backups'
import { useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { SettingRow, SettingRows } from '../../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { ChangePasswordDialog } from '../dialogs/ChangePasswordDialog.tsx'
import { RetentionDialog } from '../dialogs/RetentionDialog.tsx'
import { ScheduleDialog } from '../dialogs/ScheduleDialog.tsx'
import { readerTimeWords } from '../plan-clock.ts'
import { keepWords, scheduleWords } from '../plan-words.ts'
import { ReadGrantRow } from './ReadGrantRow.tsx'

/**
 * When a backup runs and which snapshots it keeps, with the way to change either, its password, and how it is read
 * without us.
 */
export function PlanRows({ backup, machine }: { backup: Backup; machine: BackupMachine | null }) {
  const t = useText()
  const locale = useLocale()
  const [changing, setChanging] = useState<'when' | 'keep' | 'password'>()
  const { schedule, timeZone, keep, nextAt, actions } = backup
  const readerTime = readerTimeWords(backup, nextAt ? Date.parse(nextAt) : serverNow(), t, locale)
  const change = (what: 'when' | 'keep' | 'password') =>
    actions.includes(what === 'password' ? 'changePassword' : 'edit') && (
      <ChangeButton
        size="xs"
        aria-label={t('common.labelled', { label: t(`backups.${what}`), value: t('backups.change') })}
        onClick={() => setChanging(what)}
      >
        {t('backups.change')}
      </ChangeButton>
    )
  const onClose = () => setChanging(undefined)
  return (
    <section aria-label={t('backups.plan')}>
      <SettingRows>
        <SettingRow
          title={t('backups.when')}
          text={[scheduleWords(schedule, t, locale), timeZone, readerTime].filter(Boolean).join(t('money.dot'))}
        >
          {change('when')}
        </SettingRow>
        <SettingRow title={t('backups.keep')} text={keepWords(keep, t)}>
          {change('keep')}
        </SettingRow>
        {actions.includes('changePassword') && (
          <SettingRow title={t('backups.password')} text={t('backups.passwordOn', { cluster: backup.clusterName })}>
            {change('password')}
          </SettingRow>
        )}
        {backup.snapshots > 0 && <ReadGrantRow backup={backup} />}
      </SettingRows>
      {changing === 'when' && <ScheduleDialog backup={backup} machine={machine} onClose={onClose} />}
      {changing === 'keep' && <RetentionDialog backup={backup} onClose={onClose} />}
      {changing === 'password' && <ChangePasswordDialog backup={backup} machine={machine} onClose={onClose} />}
    </section>
  )
}
