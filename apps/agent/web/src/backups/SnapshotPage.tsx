import type { SnapshotItem, SnapshotListing } from '@atoll/contract/personal-server-backups'
import { countRows } from '@atoll/contract/wire'
import { EmptyState, Notice } from '@atoll/ui'
import { formatFigure } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { type SnapshotRef, snapshotFileAddress } from '../api/backups.ts'
import { PageRange, Pager } from '../components/Pager.tsx'
import { Unreadable } from '../components/Unreadable.tsx'
import drive from '../drive/DrivePage.module.css'
import toolbar from '../drive/FileToolbar.module.css'
import { joinPath, nameOf } from '../drive/paths.ts'
import { SearchField } from '../drive/search/SearchField.tsx'
import table from '../drive/table/FileTable.module.css'
import { useLocale, useText } from '../i18n/text.ts'
import { formatMoment } from '../i18n/times.ts'
import classes from './Backups.module.css'
import { PutBackDialog } from './PutBackDialog.tsx'
import { readableName } from './put-back-names.ts'
import { SnapshotCrumbs } from './SnapshotCrumbs.tsx'
import { SnapshotRow } from './SnapshotRow.tsx'

/** From the last key to the question, ms: typing on asks once. */
const typingMs = 250

interface SnapshotPageProps {
  snapshot: SnapshotRef
  /** ms; undefined where the list of backups could not be had. */
  takenAt: number | undefined
  listing: SnapshotListing
  filter: string
  onFilter(filter: string): void
  onOffset(offset: number): void
}

/** One folder of a backup, a page of it at a time. */
export function SnapshotPage({ snapshot, takenAt, listing, filter, onFilter, onOffset }: SnapshotPageProps) {
  const t = useText()
  const locale = useLocale()
  const [typed, setTyped] = useState(filter)
  const [item, setItem] = useState<SnapshotItem>()
  const zip = useZip(snapshot)
  const { path, entries, offset, found, total, truncated } = listing
  const count = countRows(entries) ?? 0
  const when = takenAt === undefined ? t('backups.snapshot') : formatMoment(takenAt, locale)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for when somebody typed, not when the page was drawn
  useEffect(() => {
    if (typed.trim() === filter) return
    const timer = setTimeout(() => onFilter(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <>
      <div className={drive.top}>
        <SnapshotCrumbs snapshot={snapshot} when={when} path={path} />
      </div>
      {truncated && <Notice tone="amber" title={t('backups.truncated', { most: formatFigure(total, 0, locale) })} />}
      {zip.problem !== undefined && <Notice tone="coral" title={zip.problem} />}
      {total === 0 ? (
        <EmptyState title={t('backups.emptyTitle')}>{t('backups.empty')}</EmptyState>
      ) : (
        <>
          <div className={toolbar.toolbar}>
            {path !== '/' && (
              <Button
                loading={zip.isAsking}
                leftSection={<IconDownload size={16} stroke={1.6} aria-hidden="true" />}
                onClick={() => zip.download(path)}
              >
                {t('backups.downloadZip')}
              </Button>
            )}
            <SearchField folder={path === '/' ? when : readableName(nameOf(path))} value={typed} onChange={setTyped} />
          </div>
          <PageRange offset={offset} shown={count} total={found} none={t('backups.noMatch')} />
          {entries.length > 0 && (
            <div className={table.card}>
              <table className={`${table.table} ${classes.table}`} aria-label={t('drive.root')}>
                <thead>
                  <tr>
                    <th scope="col">{t('drive.name')}</th>
                    <th scope="col">{t('drive.size')}</th>
                    <th scope="col">{t('drive.modified')}</th>
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {entries.map((entry, at) => (
                    <SnapshotRow
                      // biome-ignore lint/suspicious/noArrayIndexKey: names may read alike, and nothing moves
                      key={`${offset + at} ${entry.name}`}
                      snapshot={snapshot}
                      item={entry}
                      path={joinPath(path, entry.name)}
                      onPutBack={() => setItem(entry)}
                      onZip={() => zip.download(joinPath(path, entry.name))}
                    />
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <Unreadable of={entries} />
          <Pager offset={offset} size={pageSize} hasNext={offset + count < found} onOffset={onOffset} />
        </>
      )}
      {item && (
        <PutBackDialog
          snapshot={snapshot}
          takenAt={takenAt}
          item={item}
          path={joinPath(path, item.name)}
          onClose={() => setItem(undefined)}
        />
      )}
    </>
  )
}

/** As the server pages. */
const pageSize = 200

/** Downloads a folder of a snapshot as an archive, where the server says that it makes one. */
function useZip(snapshot: SnapshotRef) {
  const t = useText()
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function download(path: string) {
    const address = snapshotFileAddress(snapshot, path)
    setProblem(undefined)
    setAsking(true)
    // The download itself would leave a file with the refusal in it.
    const answer = await fetch(address, { method: 'HEAD' }).catch(() => undefined)
    setAsking(false)
    if (answer?.ok) location.assign(address)
    else setProblem(t(answer?.status === 413 ? 'backups.zipTooLarge' : 'backups.zipFailed'))
  }
  return { isAsking, problem, download: (path: string) => void download(path) }
}
