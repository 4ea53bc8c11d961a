import type { DriveFound } from '@atoll/contract/personal-server'
import { parentOf } from '../paths.ts'
import { PreviewDialog } from '../preview/PreviewDialog.tsx'
import type { FileAction } from '../table/FileMenu.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { NameDialog } from './NameDialog.tsx'

/** The dialog open over the folder. All but moving and deleting are about one entry. */
export type OpenDialog = { kind: 'newFolder' } | { kind: FileAction; items: readonly DriveFound[] }

interface DriveDialogsProps {
  dialog: OpenDialog
  folder: string
  onDone(): void
  onClose(): void
}

/** The one dialog that is open. */
export function DriveDialogs({ dialog, folder, onDone, onClose }: DriveDialogsProps) {
  if (dialog.kind === 'newFolder') return <NameDialog folder={folder} onDone={onDone} onClose={onClose} />
  const { kind, items } = dialog
  const [entry] = items
  if (!entry) return null
  if (kind === 'preview') return <PreviewDialog file={entry} onClose={onClose} />
  if (kind === 'rename')
    return <NameDialog folder={parentOf(entry.path)} entry={entry} onDone={onDone} onClose={onClose} />
  const Asking = kind === 'move' ? MoveDialog : DeleteDialog
  return <Asking items={items} onDone={onDone} onClose={onClose} />
}
