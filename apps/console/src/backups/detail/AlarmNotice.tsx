import { type Backup, backupAnswerAlarm } from '@atoll/contract/backups'
import { Notice } from '@atoll/ui'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../../locales/text.ts'

/** Much is gone, or nearly all is new: nothing is removed until its owner says that it was them. */
export function AlarmNotice({ backup: { backupId, name, alarm } }: { backup: Backup }) {
  const t = useText()
  const locale = useLocale()
  const hold = useCallMutation(backupAnswerAlarm, { toast: true })
  if (!alarm) return null
  const { kind, percent, snapshotId, at, held } = alarm
  const answer = { backupId, snapshotId }
  const expect = () =>
    confirm({
      title: t('backups.expectTitle', { name }),
      lost: [t('backups.expectText')],
      keep: t('backups.back'),
      act: t('backups.expected'),
      run: { call: backupAnswerAlarm, body: { ...answer, expected: true } },
    })
  return (
    <Notice
      tone="coral"
      title={t(kind === 'shrink' ? 'backups.shrink' : 'backups.rewrite', {
        percent,
        time: formatDayAndTimeWithin(at, serverNow(), locale),
      })}
      action={
        <div className="buttons">
          {!held && (
            <ChangeButton
              size="xs"
              loading={hold.isPending}
              onClick={() => hold.mutate({ ...answer, expected: false })}
            >
              {t('backups.notExpected')}
            </ChangeButton>
          )}
          <ChangeButton size="xs" onClick={expect}>
            {t('backups.expected')}
          </ChangeButton>
        </div>
      }
    >
      {t(held ? 'backups.alarmHeld' : 'backups.alarmText')}
    </Notice>
  )
}
