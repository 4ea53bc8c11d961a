import type { DriveEntry } from '@atoll/contract/personal-server'
import { formatBytes } from '@atoll/ui/i18n'
import { Link } from '@tanstack/react-router'
import { fileAddress } from '../api/server.ts'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import { formatWhen } from '../i18n/times.ts'
import { FileIcon } from './FileIcon.tsx'
import { type FileAction, FileMenu } from './FileMenu.tsx'
import classes from './FileTable.module.css'
import { joinPath } from './paths.ts'

interface FileRowProps {
  folder: string
  entry: DriveEntry
  onAction(action: FileAction, entry: DriveEntry): void
}

/** One entry: its name opens a folder or downloads a file; on a narrow screen size and time stand below it. */
export function FileRow({ folder, entry, onAction }: FileRowProps) {
  const t = useText()
  const path = joinPath(folder, entry.name)
  const locale = currentLocale()
  const size = entry.kind === 'file' ? formatBytes(entry.size, locale) : ''
  const when = formatWhen(Date.parse(entry.modifiedAt), Date.now(), locale)
  const inside = (
    <>
      <FileIcon entry={entry} />
      <span className={classes.words}>
        <span className={classes.name}>{entry.name}</span>
        <span className={classes.below}>{[size || t('drive.folder'), when].join(' · ')}</span>
      </span>
    </>
  )
  return (
    <tr className={classes.row}>
      <td className={classes.main}>
        {entry.kind === 'folder' ? (
          <Link to="/" search={{ path }} className={classes.open}>
            {inside}
          </Link>
        ) : (
          <a href={fileAddress(path)} download={entry.name} className={classes.open}>
            {inside}
          </a>
        )}
      </td>
      <td className={classes.figure}>{size}</td>
      <td className={classes.figure}>
        <time dateTime={entry.modifiedAt}>{when}</time>
      </td>
      <td className={classes.menu}>
        <FileMenu path={path} entry={entry} onAction={(action) => onAction(action, entry)} />
      </td>
    </tr>
  )
}
