import { type Backup, backupSnapshots, type Snapshot } from '@atoll/contract/backups'
import { EmptyState } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { DocumentBadge } from '../../billing/shared/DocumentBadge.tsx'
import { lookOf } from '../../billing/shared/document-looks.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatStopwatch } from '../../kit/format/stopwatch.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { Tag } from '../../kit/page/Tag.tsx'
import type { Column } from '../../kit/table/DataTable.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { sentenceGap } from '../../locales/sentence-gap.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { FilesLink } from '../FilesLink.tsx'
import { ProofMark } from '../ProofCell.tsx'
import { formatDay } from '../plan-words.ts'
import { runLooks } from '../run-looks.ts'
import { backupSearch } from './backup-search.ts'
import { SnapshotMenu } from './SnapshotMenu.tsx'

interface SnapshotTableProps {
  backup: Backup
  /** Undefined: nothing can be restored now. */
  onRestore: ((snapshot: Snapshot) => void) | undefined
}

/** Every run, the newest first. */
export function SnapshotTable({ backup, onRestore }: SnapshotTableProps) {
  const { backupId } = backup
  const t = useText()
  const locale = useLocale()
  const list = useListSearch(backupSearch)
  const query = useCall(backupSnapshots, { backupId, page: list.search.page ?? 1 })
  const now = serverNow()
  const bytes = (value: number | null) => (value === null ? <NoValue /> : formatBytes(value, locale))
  const columns: Column<Snapshot>[] = [
    {
      header: t('backups.snapshot'),
      width: '15%',
      phone: 'first',
      cell: ({ createdAt }) => <b>{formatDayAndTime(createdAt, now, locale)}</b>,
    },
    {
      header: t('backups.kind'),
      width: '10.5%',
      phone: 'second',
      cell: ({ kind }) => <Tag>{t(`backups.${kind}`)}</Tag>,
    },
    { header: t('backups.size'), align: 'right', cell: ({ size }) => bytes(size) },
    {
      header: t('backups.newBytes'),
      align: 'right',
      isQuiet: true,
      cell: ({ newBytes }) => bytes(newBytes),
    },
    {
      header: t('backups.took'),
      align: 'right',
      isQuiet: true,
      isWide: true,
      cell: ({ startedAt, endedAt }) => {
        if (!startedAt) return <NoValue />
        if (!endedAt) return <SoFar since={Date.parse(startedAt)} />
        return formatStopwatch(Date.parse(endedAt) - Date.parse(startedAt))
      },
    },
    {
      header: t('backups.state'),
      width: '11.5%',
      phone: 'first-end',
      cell: ({ state }) => <DocumentBadge look={lookOf(runLooks, state)} bare />,
    },
    {
      header: t('backups.proof'),
      width: '16%',
      isWide: true,
      cell: ({ proof }) =>
        proof ? (
          <span className={classes.proved}>
            <ProofMark isGood />
            {t(proof.level === 'drilled' ? 'backups.drilledAt' : 'backups.readBackAt', {
              time: formatDay(proof.at, locale),
            })}
          </span>
        ) : (
          <NoValue />
        ),
    },
    {
      header: t('backups.restore'),
      isActions: true,
      width: '222px',
      phone: 'second-end',
      cell: (snapshot) => {
        const restore = snapshot.restorable ? onRestore : undefined
        if (!snapshot.restorable && snapshot.actions.length === 0) return null
        const time = formatDayAndTime(snapshot.createdAt, now, locale)
        const nameOf = (value: string) => t('common.labelled', { label: time, value })
        return (
          <div className={classes.rowActions}>
            {snapshot.restorable && backup.state !== 'deleting' && (
              <FilesLink size="xs" backupId={backupId} snapshotId={snapshot.snapshotId} of={time} />
            )}
            {restore && (
              <ChangeButton size="xs" aria-label={nameOf(t('backups.restore'))} onClick={() => restore(snapshot)}>
                {t('backups.restore')}
              </ChangeButton>
            )}
            <SnapshotMenu backup={backup} snapshot={snapshot} time={time} />
          </div>
        )
      },
    },
  ]
  /** Why it did not work out, whether the rules may remove it, and until when it can be taken back. */
  const wordsOf = ({ reason, endedAt, pin, forgotten }: Snapshot) => {
    const until = (at: string) => formatDeadline(at, now, locale)
    return [
      ...(reason && endedAt ? [reason] : []),
      ...(pin ? [pin.until ? t('backups.pinnedUntil', { time: until(pin.until) }) : t('backups.pinned')] : []),
      ...(forgotten
        ? [forgotten.until ? t('backups.forgottenUntil', { time: until(forgotten.until) }) : t('backups.forgotten')]
        : []),
    ]
  }
  return (
    <section aria-label={t('backups.snapshots')}>
      <h2 className={classes.sectionTitle}>{t('backups.snapshots')}</h2>
      <PagedTable
        label={t('backups.snapshots')}
        query={query}
        rows={({ snapshots }) => snapshots}
        list={list}
        errorTitle={t('backups.snapshotsError')}
        empty={<EmptyState title={t('backups.noSnapshots')}>{t('backups.noSnapshotsText')}</EmptyState>}
        rowKey={({ snapshotId }) => snapshotId}
        columns={columns}
        below={(snapshot) => {
          const words = wordsOf(snapshot)
          return words.length > 0 ? <span className="quiet">{words.join(sentenceGap(locale))}</span> : undefined
        }}
      />
    </section>
  )
}

/** How long a run has taken until now. `since`: ms. */
function SoFar({ since }: { since: number }) {
  const t = useText()
  useNow(1000)
  return t('backups.soFar', { time: formatStopwatch(serverNow() - since) })
}
