import { type Backup, backupReadGrant } from '@atoll/contract/backups'
import type { CallData } from '@atoll/contract/wire'
import { useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { CopyValue } from '../../kit/page/CopyValue.tsx'
import { SettingRow } from '../../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './ReadGrantRow.module.css'

/** The way to the files that needs neither the machine nor us: restic, a right to read, and the password. */
export function ReadGrantRow({ backup: { backupId } }: { backup: Backup }) {
  const t = useText()
  const locale = useLocale()
  const [given, setGiven] = useState<CallData<typeof backupReadGrant>>()
  const grant = useCallMutation(backupReadGrant, { toast: true, onSuccess: setGiven })
  return (
    <div>
      <SettingRow title={t('backups.alone')} text={t('backups.aloneText')}>
        <ChangeButton size="xs" loading={grant.isPending} onClick={() => grant.mutate({ backupId })}>
          {t(given ? 'backups.aloneAgain' : 'backups.aloneAct')}
        </ChangeButton>
      </SettingRow>
      {given && (
        <div className={classes.shown} role="status">
          <p>
            <Deadline at={given.until} now={serverNow()}>
              {t('backups.aloneUntil', { time: formatDeadline(given.until, serverNow(), locale) })}
            </Deadline>
          </p>
          <div className={classes.command}>
            <code>{given.command}</code>
            <CopyValue value={given.command} what={t('backups.aloneCommand')} />
          </div>
        </div>
      )}
    </div>
  )
}
