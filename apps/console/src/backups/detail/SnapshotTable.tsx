import { type Backup, backupSnapshots, type Snapshot } from '@atoll/contract/backups'
import { EmptyState } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatStopwatch } from '../../kit/format/stopwatch.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { Tag } from '../../kit/page/Tag.tsx'
import type { Column } from '../../kit/table/DataTable.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { DocumentBadge } from '../../money/DocumentBadge.tsx'
import classes from '../Backups.module.css'
import { ProofMark } from '../ProofCell.tsx'
import { formatDay } from '../plan-words.ts'
import { runLooks } from '../run-looks.ts'
import { backupSearch } from './backup-search.ts'

interface SnapshotTableProps {
  backup: Backup
  /** Undefined: nothing can be restored now. */
  onRestore: ((snapshot: Snapshot) => void) | undefined
}

/** Every run, the newest first. */
export function SnapshotTable({ backup: { backupId }, onRestore }: SnapshotTableProps) {
  const t = useText()
  const locale = useLocale()
  const list = useListSearch(backupSearch)
  const query = useCall(backupSnapshots, { backupId, page: list.search.page ?? 1 })
  const now = serverNow()
  const bytes = (value: number | null) => (value === null ? <NoValue /> : formatBytes(value, locale))
  const columns: Column<Snapshot>[] = [
    {
      header: t('backups.snapshot'),
      width: '16.5%',
      phone: 'first',
      cell: ({ createdAt }) => <b>{formatDayAndTime(createdAt, now, locale)}</b>,
    },
    {
      header: t('backups.kind'),
      width: '12%',
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
      width: '12.5%',
      phone: 'first-end',
      cell: ({ state }) => <DocumentBadge look={runLooks[state]} bare />,
    },
    {
      header: t('backups.proof'),
      width: '18%',
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
      width: '120px',
      phone: 'second-end',
      cell: (snapshot) =>
        snapshot.restorable &&
        onRestore && (
          <Button size="xs" className={classes.rowButton} onClick={() => onRestore(snapshot)}>
            {t('backups.restore')}
          </Button>
        ),
    },
  ]
  return (
    <section aria-label={t('backups.snapshots')}>
      <h2 className={classes.sectionTitle}>{t('backups.snapshots')}</h2>
      <PagedTable
        query={query}
        rows={({ snapshots }) => snapshots}
        list={list}
        errorTitle={t('backups.snapshotsError')}
        empty={<EmptyState title={t('backups.noSnapshots')}>{t('backups.noSnapshotsText')}</EmptyState>}
        rowKey={({ snapshotId }) => snapshotId}
        columns={columns}
        below={({ reason, endedAt }) => (reason && endedAt ? <span className="quiet">{reason}</span> : undefined)}
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
