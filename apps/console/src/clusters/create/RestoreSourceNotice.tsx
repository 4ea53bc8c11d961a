import { Notice } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { countFiles } from '../../backups/plan-words.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { formatStopwatch } from '../../kit/format/stopwatch.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './CreateWizard.module.css'
import type { RestoreSource } from './step-props.ts'

/** The restore that the cluster is created from, its size and time; or why that is not possible now. */
export function RestoreSourceNotice({ source: { backupName, snapshot, seconds, refusal } }: { source: RestoreSource }) {
  const t = useText()
  const locale = useLocale()
  const time = formatDayAndTimeWithin(snapshot.createdAt, serverNow(), locale)
  const facts = [
    t('create.restoreFiles', { ...countFiles(snapshot.files, locale), size: formatBytes(snapshot.size ?? 0, locale) }),
    ...(seconds === null ? [] : [t('create.restoreTakes', { time: formatStopwatch(seconds * 1000) })]),
    t('create.restorePassword'),
  ]
  return (
    <div className={classes.source}>
      <Notice tone={refusal ? 'coral' : 'accent'} title={t('create.restoreFrom', { name: backupName, time })}>
        {refusal ?? facts.join(t('money.dot'))}
      </Notice>
    </div>
  )
}
