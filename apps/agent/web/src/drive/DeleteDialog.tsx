import type { DriveEntry } from '@atoll/contract/personal-server'
import { Dialog } from '@atoll/ui'
import { Button } from '@mantine/core'
import { deleteEntry } from '../api/server.ts'
import { useText } from '../i18n/text.ts'
import classes from './Dialog.module.css'
import { joinPath } from './paths.ts'
import { useSubmission } from './use-submission.ts'

interface DeleteDialogProps {
  folder: string
  entry: DriveEntry
  onDone(): void
  onClose(): void
}

/** Asks before an entry is gone for good. */
export function DeleteDialog({ folder, entry, onDone, onClose }: DeleteDialogProps) {
  const t = useText()
  const { busy, problem, submit } = useSubmission(onDone)
  const title = entry.kind === 'folder' ? 'remove.folderTitle' : 'remove.fileTitle'
  return (
    <Dialog opened onClose={onClose} title={t(title, { name: entry.name })}>
      <div className={classes.form}>
        <p className={classes.words}>{t('remove.body')}</p>
        {problem && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={classes.answers}>
          <Button onClick={onClose} data-autofocus>
            {t('remove.keep')}
          </Button>
          <Button
            variant="danger"
            loading={busy}
            onClick={() => void submit(() => deleteEntry(joinPath(folder, entry.name)))}
          >
            {t('remove.go')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
