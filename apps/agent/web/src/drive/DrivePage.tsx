import type { DriveEntry, DriveListing } from '@atoll/contract/personal-server'
import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconFolderPlus, IconUpload } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../i18n/text.ts'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import classes from './DrivePage.module.css'
import { DropTarget } from './DropTarget.tsx'
import { EmptyFolder } from './EmptyFolder.tsx'
import type { FileAction } from './FileMenu.tsx'
import { FileTable } from './FileTable.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { NameDialog } from './NameDialog.tsx'
import { SpaceUsed } from './SpaceUsed.tsx'
import { UploadTray } from './UploadTray.tsx'
import { uploads } from './upload-queue.ts'

interface DrivePageProps {
  listing: DriveListing
}

type Dialog = { kind: 'newFolder' } | { kind: FileAction; entry: DriveEntry }

/** One folder: where it is, what is in it, and what can be done with that. */
export function DrivePage({ listing }: DrivePageProps) {
  const t = useText()
  const router = useRouter()
  const [dialog, setDialog] = useState<Dialog>()
  const chooser = useRef<HTMLInputElement>(null)
  const { path, entries } = listing
  const refresh = () => void router.invalidate()
  const close = () => setDialog(undefined)
  const finish = () => {
    // What was closed before its answer came must not close what was opened since.
    setDialog((open) => (open === dialog ? undefined : open))
    refresh()
  }
  useEffect(() => uploads.onDone((folder) => folder === path && void router.invalidate()), [path, router])
  const add = (files: readonly File[]) => uploads.add(path, files)
  const choose = () => chooser.current?.click()
  return (
    <DropTarget folder={path} onFiles={add}>
      <div className={classes.top}>
        <Breadcrumbs path={path} />
        <div className={classes.actions}>
          <Button
            leftSection={<IconFolderPlus size={16} stroke={1.6} aria-hidden="true" />}
            onClick={() => setDialog({ kind: 'newFolder' })}
          >
            {t('drive.newFolder')}
          </Button>
          <Button
            variant="filled"
            leftSection={<IconUpload size={16} stroke={1.6} aria-hidden="true" />}
            onClick={choose}
          >
            {t('drive.upload')}
          </Button>
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            aria-label={t('drive.upload')}
            onChange={(event) => {
              add([...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ''
            }}
          />
        </div>
      </div>
      {listing.truncated && <Notice tone="amber" title={t('drive.truncated')} />}
      {entries.length > 0 ? (
        <FileTable folder={path} entries={entries} onAction={(kind, entry) => setDialog({ kind, entry })} />
      ) : (
        <EmptyFolder isRoot={path === '/'} onChoose={choose} />
      )}
      <SpaceUsed used={listing.usedBytes} free={listing.freeBytes} />
      <UploadTray />
      {dialog?.kind === 'newFolder' && <NameDialog folder={path} onDone={finish} onClose={close} />}
      {dialog?.kind === 'rename' && <NameDialog folder={path} entry={dialog.entry} onDone={finish} onClose={close} />}
      {dialog?.kind === 'move' && <MoveDialog folder={path} entry={dialog.entry} onDone={finish} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteDialog folder={path} entry={dialog.entry} onDone={finish} onClose={close} />}
    </DropTarget>
  )
}
