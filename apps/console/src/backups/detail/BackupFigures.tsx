import type { Backup } from '@atoll/contract/backups'
import { formatBytes, formatFigure } from '@atoll/ui/i18n'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatAgo, formatDayAndTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { readerTimeWords } from '../plan-clock.ts'

/** Size, snapshots, the age of the proof and of the last drill, and when it runs next (board 11). */
export function BackupFigures({ backup }: { backup: Backup }) {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  const { size, snapshots, oldestAt, nextAt, state, timeZone, proof } = backup
  // Of a plan by another clock than the reader's: both, each named.
  const isElsewhere = nextAt !== null && readerTimeWords(backup, Date.parse(nextAt), t, locale) !== undefined
  const { readAt, drill, drillMissed, damage } = proof
  const time = (at: string | null) => (at ? formatDayAndTime(at, now, locale) : t('backups.none'))
  const ago = (at: string) => formatAgo(at, now, locale)
  const count = (value: number | null) => formatFigure(value ?? 0, 0, locale)
  const drilled =
    drill &&
    (drill.passed
      ? t(drill.sameHost ? 'backups.drillEqualHere' : 'backups.drillEqual', { files: count(drill.files) })
      : (drill.reason ?? t('backups.drillUnequal')))
  const proving = proof.state && t(`backups.proving.${proof.state}`)
  return (
    <section className="box" aria-label={t('backups.figures')}>
      <dl className={classes.cells}>
        <Cell label={t('backups.stored')} value={formatBytes(size, locale)} />
        <Cell
          label={t('backups.snapshots')}
          value={String(snapshots)}
          detail={oldestAt && t('backups.oldest', { time: time(oldestAt) })}
        />
        <Cell
          label={t('backups.proofAge')}
          value={damage ? t('backups.damaged') : readAt ? ago(readAt) : t('backups.none')}
          detail={proving ?? (readAt ? t('backups.readInFull', { time: time(readAt) }) : t('backups.notReadYet'))}
        />
        <Cell
          label={t('backups.lastDrill')}
          value={drill ? ago(drill.at) : t('backups.none')}
          detail={drilled}
          note={drillMissed?.reason}
        />
        <Cell
          label={t('backups.next')}
          value={
            state === 'paused' ? t('backups.paused') : isElsewhere ? formatDeadline(nextAt, now, locale) : time(nextAt)
          }
          detail={
            isElsewhere ? [formatDeadline(nextAt, now, locale, timeZone), timeZone].join(t('money.dot')) : timeZone
          }
        />
      </dl>
    </section>
  )
}

interface CellProps {
  label: string
  value: string
  detail?: string | null | undefined
  /** Of what came after that. */
  note?: string | undefined
}

function Cell({ label, value, detail, note }: CellProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={classes.figure}>{value}</dd>
      {detail && <dd className="tiny quiet">{detail}</dd>}
      {note && <dd className="tiny quiet">{note}</dd>}
    </div>
  )
}
