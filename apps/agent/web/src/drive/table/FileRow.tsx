import type { DriveFound } from '@atoll/contract/personal-server'
import { lookUp } from '@atoll/contract/wire'
import { formatBytes } from '@atoll/ui/i18n'
import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { fileAddress } from '../../api/server.ts'
import { currentLocale } from '../../i18n/language.ts'
import { useText } from '../../i18n/text.ts'
import { formatWhen } from '../../i18n/times.ts'
import { tipOfName } from '../cut-name.ts'
import { FileName } from '../FileName.tsx'
import { parentOf } from '../paths.ts'
import { findPreviewKind } from '../preview/preview-kind.ts'
import { Pick } from '../selection/Pick.tsx'
import type { Selection } from '../selection/use-selection.ts'
import { FileIcon } from './FileIcon.tsx'
import { type FileAction, FileMenu } from './FileMenu.tsx'
import classes from './FileTable.module.css'

interface FileRowProps {
  entry: DriveFound
  /** Whether it says where the entry lies. */
  showsPlace: boolean
  selection: Selection
  onAction(action: FileAction, entry: DriveFound): void
}

/**
 * One entry: its name opens a folder, shows what can be shown and downloads any other file; on a narrow screen size
 * and time stand below it.
 */
export function FileRow({ entry, showsPlace, selection, onAction }: FileRowProps) {
  const t = useText()
  const { path } = entry
  const locale = currentLocale()
  const size = entry.kind === 'file' ? formatBytes(entry.size, locale) : ''
  const when = formatWhen(Date.parse(entry.modifiedAt), Date.now(), locale)
  const isChosen = selection.has(entry)
  const inside = (
    <>
      <FileIcon entry={entry} />
      <span className={classes.words}>
        <span className={classes.name}>
          <FileName name={entry.name} />
        </span>
        {showsPlace && (
          <span className={classes.place}>
            {[t('drive.root'), ...parentOf(path).split('/').filter(Boolean)].join(' / ')}
          </span>
        )}
        <span className={classes.below}>
          {[lookUp({ file: size, folder: t('drive.folder') }, entry.kind, entry.kind), when].join(' · ')}
        </span>
      </span>
    </>
  )
  const tip = tipOfName(entry.name)
  const open = () => {
    if (entry.kind === 'folder')
      return (
        <Link to="/" search={{ path }} className={classes.open} data-tip={tip}>
          {inside}
        </Link>
      )
    if (findPreviewKind(entry.name))
      return (
        <UnstyledButton className={classes.open} data-tip={tip} onClick={() => onAction('preview', entry)}>
          {inside}
        </UnstyledButton>
      )
    return (
      <a href={fileAddress(path)} download={entry.name} className={classes.open} data-tip={tip}>
        {inside}
      </a>
    )
  }
  return (
    <tr className={classes.row} data-chosen={isChosen || undefined}>
      <td className={classes.pick}>
        <Pick
          label={t('select.one', { name: entry.name })}
          checked={isChosen}
          onChange={() => selection.toggle(entry)}
        />
      </td>
      <td className={classes.main}>{open()}</td>
      <td className={classes.figure}>{size}</td>
      <td className={classes.figure}>
        <time dateTime={entry.modifiedAt}>{when}</time>
      </td>
      <td className={classes.menu}>
        <FileMenu entry={entry} onAction={(action) => onAction(action, entry)} />
      </td>
    </tr>
  )
}
