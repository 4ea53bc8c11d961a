import type { Backup } from '@atoll/contract/backups'
import { formatBytes } from '@atoll/ui/i18n'
import { Link } from '@tanstack/react-router'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDayAndTime, formatTime } from '../../kit/format/times.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { type Column, DataTable } from '../../kit/table/DataTable.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { DocumentBadge } from '../../money/DocumentBadge.tsx'
import classes from '../Backups.module.css'
import { ProofCell } from '../ProofCell.tsx'
import { mostKept, pathsWords, scheduleWords } from '../plan-words.ts'
import { runLooks } from '../run-looks.ts'

interface BackupTableProps {
  backups: readonly Backup[]
  /** All are of one cluster, which is not named again. */
  isOfOne?: boolean
}

/** Backups as board 11 lists them; below 768 px each is a card. */
export function BackupTable({ backups, isOfOne = false }: BackupTableProps) {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  const columns: Column<Backup>[] = [
    {
      header: t('backups.backup'),
      width: '17%',
      phone: 'first',
      cell: ({ backupId, name, clusterName }) => (
        <CellLines
          main={
            <Link to="/backupDetails/$backupId" params={{ backupId }} className={classes.name}>
              {name}
            </Link>
          }
          second={isOfOne ? undefined : clusterName}
        />
      ),
    },
    { header: t('backups.what'), isQuiet: true, cell: (backup) => pathsWords(backup, t) },
    {
      header: t('backups.when'),
      width: '17.5%',
      isQuiet: true,
      cell: ({ schedule, keep }) => (
        <CellLines main={scheduleWords(schedule, t, locale)} second={t('backups.keeps', { count: mostKept(keep) })} />
      ),
    },
    {
      header: t('backups.last'),
      width: '13.5%',
      phone: 'second',
      cell: (backup) => <LastRun backup={backup} />,
    },
    { header: t('backups.proof'), width: '21%', cell: (backup) => <ProofCell backup={backup} /> },
    {
      header: t('backups.next'),
      width: '11.5%',
      isWide: true,
      isQuiet: true,
      cell: ({ nextAt, state }) =>
        nextAt ? formatDayAndTime(nextAt, now, locale) : state === 'paused' ? t('backups.paused') : <NoValue />,
    },
    {
      header: t('backups.size'),
      width: '9.5%',
      align: 'right',
      phone: 'first-end',
      cell: ({ size }) => formatBytes(size, locale),
    },
  ]
  return (
    <DataTable
      rows={backups}
      rowKey={({ backupId }) => backupId}
      columns={columns}
      below={({ newest }) =>
        newest?.reason && newest.endedAt === null ? <span className="quiet">{newest.reason}</span> : undefined
      }
    />
  )
}

function LastRun({ backup: { newest, state, deletedAt } }: { backup: Backup }) {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  if (state === 'deleting' && deletedAt) {
    const until = t('backups.until', { time: formatTime(deletedAt, now, locale) })
    return <CellLines main={t('backups.deleting')} second={until} />
  }
  if (!newest) return <span className="quiet">{t('backups.never')}</span>
  return (
    <CellLines
      main={<DocumentBadge look={runLooks[newest.state]} bare />}
      second={formatDayAndTime(newest.createdAt, now, locale)}
    />
  )
}
