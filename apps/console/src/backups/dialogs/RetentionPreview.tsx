import type { Backup } from '@atoll/contract/backups'
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { reasonWords } from '../plan-words.ts'
import type { Preview } from './use-preview.ts'

/** Each snapshot that the rules keep, with why, and each that goes: by the function that removes them. */
export function RetentionPreview({ backup, preview }: { backup: Backup; preview: Preview }) {
  const t = useText()
  const locale = useLocale()
  const { data, isCurrent, error, refetch } = preview
  if (!data && error) return <LoadFailure title={t('backups.previewError')} error={error} onRetry={refetch} />
  if (!data) return <Skeleton height={200} />
  const { keep, remove } = data
  const now = serverNow()
  const time = (at: string) => formatDayAndTime(at, now, locale)
  return (
    <div className={classes.preview} data-old={!isCurrent || undefined}>
      <Side title={t('backups.stays', { count: keep.length })} tone="green">
        {keep.map(({ snapshotId, at, because }) => (
          <li key={snapshotId} className={classes.sideRow}>
            {time(at)}
            <span className="tiny quiet">{reasonWords(because, t)}</span>
          </li>
        ))}
      </Side>
      <Side title={t('backups.goes', { count: remove.length })} tone={remove.length > 0 ? 'coral' : undefined}>
        {remove.map(({ snapshotId, at, forRoom }) => (
          <li key={snapshotId} className={classes.sideRow}>
            {time(at)}
            {forRoom && <span className="tiny quiet">{t('backups.goesForRoom')}</span>}
          </li>
        ))}
      </Side>
      {remove.length > 0 && (
        <p className={classes.previewHelp}>
          {t(backup.proof.damage ? 'backups.goesDamaged' : backup.alarm ? 'backups.goesAlarm' : 'backups.goesHelp')}
        </p>
      )}
    </div>
  )
}

function Side({
  title,
  tone,
  children,
}: {
  title: string
  tone: 'green' | 'coral' | undefined
  children: ReactNode[]
}) {
  return (
    <section className={classes.side} aria-label={title}>
      <p className={classes.sideTitle} data-tone={tone} role="status">
        {title}
      </p>
      {children.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled, by keys too
        <ul className={classes.sideList} tabIndex={0}>
          {children}
        </ul>
      )}
    </section>
  )
}
