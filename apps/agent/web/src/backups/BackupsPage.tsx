import type { BackupsKept, KeptBackup, UnreadFiles } from '@atoll/contract/personal-server-backups'
import { countRows } from '@atoll/contract/wire'
import { EmptyState, Notice, PageHeader } from '@atoll/ui'
import { formatBytes, formatFigure } from '@atoll/ui/i18n'
import { IconArchive, IconChevronRight } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { Unreadable } from '../components/Unreadable.tsx'
import { useLocale, useText } from '../i18n/text.ts'
import { formatMoment } from '../i18n/times.ts'
import classes from './Backups.module.css'
import { UnlockForm } from './UnlockForm.tsx'

interface BackupsPageProps {
  kept: BackupsKept
}

/** The backups of this server, each with what is kept of it, the newest first. */
export function BackupsPage({ kept: { backups, hasRestic, keyFingerprint } }: BackupsPageProps) {
  const t = useText()
  return (
    <>
      <PageHeader title={t('backups.title')}>{t('backups.lead')}</PageHeader>
      {!hasRestic && countRows(backups) !== 0 && (
        <Notice tone="amber" title={t('problem.noRestic')}>
          {t('backups.noResticHelp')}
        </Notice>
      )}
      {countRows(backups) === 0 && <EmptyState title={t('backups.noneTitle')}>{t('backups.none')}</EmptyState>}
      {backups.map((backup) => (
        <BackupCard key={backup.backupId} backup={backup} />
      ))}
      <Unreadable of={backups} />
      <p className={classes.nothing}>
        {t('backups.key')} <code>{keyFingerprint}</code>
      </p>
    </>
  )
}

function BackupCard({ backup }: { backup: KeptBackup }) {
  const t = useText()
  const router = useRouter()
  const { backupId, name, isLocked, snapshots, unread } = backup
  return (
    <section className={classes.backup} aria-label={name}>
      <h2 className={classes.backupName}>{name}</h2>
      <div className={classes.card}>
        {isLocked && <UnlockForm backupId={backupId} backupName={name} onDone={() => void router.invalidate()} />}
        {!isLocked && countRows(snapshots) === 0 && <p className={classes.nothing}>{t('backups.nothingKept')}</p>}
        {!isLocked && snapshots.length > 0 && (
          <ul>
            {snapshots.map((snapshot) => (
              <SnapshotLine key={snapshot.snapshotId} backupId={backupId} snapshot={snapshot} />
            ))}
          </ul>
        )}
        {!isLocked && <Unreadable of={snapshots} />}
        {unread.run && <UnreadList of="backups.unreadRun" unread={unread.run} />}
        {unread.restore && <UnreadList of="backups.unreadRestore" unread={unread.restore} />}
      </div>
    </section>
  )
}

interface UnreadListProps {
  of: 'backups.unreadRun' | 'backups.unreadRestore'
  unread: UnreadFiles
}

/** Files that could not be read, by name: this page is the only place that has them. */
function UnreadList({ of, unread: { at, count, paths } }: UnreadListProps) {
  const t = useText()
  const locale = useLocale()
  const more = count - paths.length
  return (
    <details className={classes.unread}>
      <summary>{t(of, { files: formatFigure(count, 0, locale), when: formatMoment(Date.parse(at), locale) })}</summary>
      <ul>
        {paths.map((path) => (
          <li key={path}>{path}</li>
        ))}
        {more > 0 && <li>{t('backups.unreadMore', { count: more, files: formatFigure(more, 0, locale) })}</li>}
      </ul>
    </details>
  )
}

interface SnapshotLineProps {
  backupId: string
  snapshot: KeptBackup['snapshots'][number]
}

function SnapshotLine({ backupId, snapshot: { snapshotId, at, files, bytes } }: SnapshotLineProps) {
  const t = useText()
  const locale = useLocale()
  return (
    <li className={classes.line}>
      <Link to="/backups/$backupId/$snapshotId" params={{ backupId, snapshotId }} className={classes.open}>
        <IconArchive size={18} stroke={1.6} aria-hidden="true" className={classes.icon} />
        <time dateTime={at} className={classes.when}>
          {formatMoment(Date.parse(at), locale)}
        </time>
        <span className={classes.figures}>
          {t('backups.files', { count: files, files: formatFigure(files, 0, locale) })} · {formatBytes(bytes, locale)}
        </span>
        <IconChevronRight size={16} stroke={1.6} aria-hidden="true" className={classes.icon} />
      </Link>
    </li>
  )
}
