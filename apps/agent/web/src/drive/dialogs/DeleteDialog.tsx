import type { DriveFound } from '@atoll/contract/personal-server'
import { Dialog } from '@atoll/ui'
import { Button } from '@mantine/core'
import { deleteEntry } from '../../api/server.ts'
import { type Translate, useText } from '../../i18n/text.ts'
import { useBatch } from '../selection/use-batch.ts'
import classes from './Dialog.module.css'

interface DeleteDialogProps {
  items: readonly DriveFound[]
  onDone(): void
  onClose(): void
}

/** Asks before entries are gone for good. */
export function DeleteDialog({ items, onDone, onClose }: DeleteDialogProps) {
  const t = useText()
  const { busy, problem, submit, leave } = useBatch(items, { onDone, onClose })
  return (
    <Dialog opened onClose={leave} title={titleFor(items, t)}>
      <div className={classes.form}>
        <p className={classes.words}>{t(items.length > 1 ? 'remove.manyBody' : 'remove.body')}</p>
        {problem && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={classes.answers}>
          <Button onClick={leave} data-autofocus>
            {t(items.length > 1 ? 'remove.keepMany' : 'remove.keep')}
          </Button>
          <Button variant="danger" loading={busy} onClick={() => void submit(({ path }) => deleteEntry(path))}>
            {t('remove.go')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function titleFor(items: readonly DriveFound[], t: Translate): string {
  const [only] = items
  if (!only || items.length > 1) return t('remove.manyTitle', { count: items.length })
  return t(only.kind === 'folder' ? 'remove.folderTitle' : 'remove.fileTitle', { name: only.name })
}
