import type { DriveFound } from '@atoll/contract/personal-server'
import { ActionIcon, Button } from '@mantine/core'
import { IconDownload, IconFolderSymlink, IconListCheck, IconTrash, IconX } from '@tabler/icons-react'
import { fileAddress } from '../../api/server.ts'
import { useText } from '../../i18n/text.ts'
import toolbar from '../FileToolbar.module.css'
import type { FileAction } from '../table/FileMenu.tsx'
import classes from './Selection.module.css'
import { topmost } from './topmost.ts'
import type { Selection } from './use-selection.ts'

/** Chromium drops what is begun in one go beyond the tenth download. ms */
const betweenMs = 150

interface SelectionBarProps {
  selection: Selection
  onAction(action: FileAction, items: readonly DriveFound[]): void
}

/** Actions on all chosen entries at once. */
export function SelectionBar({ selection, onAction }: SelectionBarProps) {
  const t = useText()
  const { items } = selection
  const files = items.filter(({ kind }) => kind === 'file')
  const icon = (Icon: typeof IconTrash) => <Icon size={16} stroke={1.6} aria-hidden="true" />
  return (
    <section className={classes.bar} aria-label={t('select.title')}>
      <span className={classes.count} role="status">
        {t('select.count', { count: items.length })}
      </span>
      {files.length > 0 && (
        <Button
          className={classes.act}
          aria-label={t('select.download', { count: files.length })}
          onClick={() => void downloadFiles(files)}
        >
          {icon(IconDownload)}
          <span className={classes.label}>{t('select.download', { count: files.length })}</span>
        </Button>
      )}
      <Button className={classes.act} aria-label={t('drive.move')} onClick={() => onAction('move', topmost(items))}>
        {icon(IconFolderSymlink)}
        <span className={classes.label}>{t('drive.move')}</span>
      </Button>
      <Button className={classes.act} aria-label={t('drive.delete')} onClick={() => onAction('delete', topmost(items))}>
        {icon(IconTrash)}
        <span className={classes.label}>{t('drive.delete')}</span>
      </Button>
      <ActionIcon className={toolbar.narrow ?? ''} aria-label={t('select.all')} onClick={selection.toggleAll}>
        {icon(IconListCheck)}
      </ActionIcon>
      <ActionIcon size={36} aria-label={t('select.clear')} onClick={selection.clear}>
        {icon(IconX)}
      </ActionIcon>
    </section>
  )
}

/** Downloads the files one after another, each as itself; the browser may ask whether it should. */
async function downloadFiles(files: readonly DriveFound[]): Promise<void> {
  for (const file of files) {
    const link = document.createElement('a')
    link.href = fileAddress(file.path)
    link.download = file.name
    link.click()
    await new Promise((resolve) => setTimeout(resolve, betweenMs))
  }
}
