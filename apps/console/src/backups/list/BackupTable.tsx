import type { Backup } from '@atoll/contract/backups'
import { formatBytes } from '@atoll/ui/i18n'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DocumentBadge } from '../../billing/shared/DocumentBadge.tsx'
import { lookOf } from '../../billing/shared/document-looks.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { type Column, DataTable } from '../../kit/table/DataTable.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { FilesLink } from '../FilesLink.tsx'
import { ProofCell } from '../ProofCell.tsx'
import { planWords } from '../plan-clock.ts'
import { mostKept, pathsWords } from '../plan-words.ts'
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
      width: '14.5%',
      leads: true,
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
      width: '15%',
      isQuiet: true,
      cell: (backup) => (
        <CellLines
          main={planWords(backup, now, t, locale)}
          second={t('backups.keeps', { count: mostKept(backup.keep) })}
        />
      ),
    },
    {
      header: t('backups.last'),
      width: '13.5%',
      phone: 'second',
      cell: (backup) => <LastRun backup={backup} />,
    },
    { header: t('backups.proof'), width: '19.5%', cell: (backup) => <ProofCell backup={backup} /> },
    {
      header: t('backups.next'),
      width: '10%',
      isWide: true,
      isQuiet: true,
      cell: ({ nextAt, state }) =>
        nextAt ? formatDayAndTime(nextAt, now, locale) : state === 'paused' ? t('backups.paused') : <NoValue />,
    },
    {
      header: t('backups.size'),
      width: '8.5%',
      align: 'right',
      phone: 'first-end',
      cell: ({ size }) => formatBytes(size, locale),
    },
    {
      header: t('backups.files'),
      isActions: true,
      width: '100px',
      phone: 'second-end',
      cell: ({ backupId, name, newestKept, state }) =>
        newestKept !== null &&
        state !== 'deleting' && <FilesLink size="xs" backupId={backupId} snapshotId={newestKept} of={name} />,
    },
  ]
  return (
    <DataTable
      label={t('backups.title')}
      rows={backups}
      rowKey={({ backupId }) => backupId}
      columns={columns}
      below={waitOf}
    />
  )
}

/** Why the newest run has not begun, with the way to where the password that it waits for is entered. */
function waitOf(backup: Backup): ReactNode | undefined {
  const { newest } = backup
  return newest?.reason && newest.endedAt === null ? <Wait backup={backup} reason={newest.reason} /> : undefined
}

function Wait({ backup: { backupId, name, needsPassword }, reason }: { backup: Backup; reason: string }) {
  const t = useText()
  return (
    <span className="quiet">
      {reason}{' '}
      {needsPassword && (
        <Link
          to="/backupDetails/$backupId"
          params={{ backupId }}
          className={classes.enter}
          aria-label={t('common.labelled', { label: name, value: t('backups.enterPassword') })}
        >
          {t('backups.enterPassword')}
        </Link>
      )}
    </span>
  )
}

function LastRun({ backup: { newest, state, deletedAt } }: { backup: Backup }) {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  if (state === 'deleting' && deletedAt) {
    const until = (
      <Deadline at={deletedAt} now={now}>
        {t('backups.until', { time: formatDeadline(deletedAt, now, locale) })}
      </Deadline>
    )
    return <CellLines main={t('backups.deleting')} second={until} />
  }
  if (!newest) return <span className="quiet">{t('backups.never')}</span>
  return (
    <CellLines
      main={<DocumentBadge look={lookOf(runLooks, newest.state)} bare />}
      second={formatDayAndTime(newest.createdAt, now, locale)}
    />
  )
}
