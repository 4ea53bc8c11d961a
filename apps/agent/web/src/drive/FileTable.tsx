import type { DriveEntry } from '@atoll/contract/personal-server'
import { useText } from '../i18n/text.ts'
import type { FileAction } from './FileMenu.tsx'
import { FileRow } from './FileRow.tsx'
import classes from './FileTable.module.css'

interface FileTableProps {
  folder: string
  entries: readonly DriveEntry[]
  onAction(action: FileAction, entry: DriveEntry): void
}

/** A folder's entries, as the server orders them: folders first, then by name. */
export function FileTable({ folder, entries, onAction }: FileTableProps) {
  const t = useText()
  return (
    <div className={classes.card}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('drive.name')}</th>
            <th scope="col" className={classes.right}>
              {t('drive.size')}
            </th>
            <th scope="col" className={classes.right}>
              {t('drive.modified')}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <FileRow key={entry.name} folder={folder} entry={entry} onAction={onAction} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
