import type { DriveListing } from '@atoll/contract/personal-server'
import { countRows, countUnreadable } from '@atoll/contract/wire'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { AddButtons } from './AddButtons.tsx'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import classes from './DrivePage.module.css'
import { DropTarget } from './DropTarget.tsx'
import { DriveDialogs, type OpenDialog } from './dialogs/DriveDialogs.tsx'
import { EmptyFolder } from './EmptyFolder.tsx'
import { FolderFiles } from './FolderFiles.tsx'
import { joinPath } from './paths.ts'
import { SpaceUsed } from './SpaceUsed.tsx'
import { UploadTray } from './upload/UploadTray.tsx'
import { uploads } from './upload/upload-queue.ts'
import { useKeptFocus } from './use-kept-focus.ts'

interface DrivePageProps {
  listing: DriveListing
  onOffset(offset: number): void
}

/** One folder: where it is, what is in it, and what can be done with that. */
export function DrivePage({ listing, onOffset }: DrivePageProps) {
  const router = useRouter()
  const [dialog, setDialog] = useState<OpenDialog>()
  const [changes, setChanges] = useState(0)
  const chooser = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLDivElement>(null)
  useKeptFocus(files)
  const { path, offset, total } = listing
  const entries = countUnreadable(
    listing.entries.map((entry) => ({ ...entry, path: joinPath(path, entry.name) })),
    listing.entries,
  )
  const close = () => setDialog(undefined)
  const finish = () => {
    // A dialog closed before its answer came must not close the one opened since.
    setDialog((open) => (open === dialog ? undefined : open))
    setChanges((count) => count + 1)
    void router.invalidate()
  }
  useEffect(() => uploads.onDone((folder) => folder === path && void router.invalidate()), [path, router])
  const add = (files: readonly File[]) => uploads.add(path, files)
  return (
    <DropTarget folder={path} onFiles={add}>
      <div className={classes.top}>
        <Breadcrumbs path={path} />
        <AddButtons chooser={chooser} onNewFolder={() => setDialog({ kind: 'newFolder' })} onFiles={add} />
      </div>
      <div ref={files}>
        {countRows(entries) !== 0 ? (
          <FolderFiles
            folder={path}
            entries={entries}
            changes={changes}
            paging={{ offset, total, onOffset }}
            onAction={(kind, items) => setDialog({ kind, items })}
          />
        ) : (
          <EmptyFolder isRoot={path === '/'} onChoose={() => chooser.current?.click()} />
        )}
      </div>
      <SpaceUsed used={listing.usedBytes} free={listing.freeBytes} />
      <UploadTray />
      {dialog && <DriveDialogs dialog={dialog} folder={path} onDone={finish} onClose={close} />}
    </DropTarget>
  )
}
