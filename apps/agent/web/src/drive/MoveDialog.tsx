import type { DriveEntry } from '@atoll/contract/personal-server'
import { Dialog } from '@atoll/ui'
import { Button, Loader, UnstyledButton } from '@mantine/core'
import { IconArrowLeft, IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { moveEntry } from '../api/server.ts'
import { useText } from '../i18n/text.ts'
import classes from './Dialog.module.css'
import { joinPath, nameOf, parentOf } from './paths.ts'
import { useFolders } from './use-folders.ts'
import { useSubmission } from './use-submission.ts'

interface MoveDialogProps {
  folder: string
  entry: DriveEntry
  onDone(): void
  onClose(): void
}

/** Walks the folders to the place an entry should move to. */
export function MoveDialog({ folder, entry, onDone, onClose }: MoveDialogProps) {
  const t = useText()
  const [target, setTarget] = useState(folder)
  const from = joinPath(folder, entry.name)
  const { folders, problem: listProblem } = useFolders(target)
  const { busy, problem, submit } = useSubmission(onDone)
  const shownName = (path: string) => (path === '/' ? t('drive.root') : nameOf(path))
  const said = problem ?? listProblem ?? (target === folder ? t('move.same') : undefined)
  // A folder cannot go into itself: it is not offered.
  const choices = folders?.filter((name) => joinPath(target, name) !== from)
  return (
    <Dialog opened onClose={onClose} title={t('move.title', { name: entry.name })}>
      <div className={classes.form}>
        <div className={classes.place}>
          <IconFolder size={18} stroke={1.6} aria-hidden="true" />
          <b>{shownName(target)}</b>
        </div>
        <div className={classes.list}>
          {target !== '/' && (
            <UnstyledButton className={classes.choice} onClick={() => setTarget(parentOf(target))}>
              <IconArrowLeft size={18} stroke={1.6} aria-hidden="true" />
              {t('drive.parent', { name: shownName(parentOf(target)) })}
            </UnstyledButton>
          )}
          {!choices && !listProblem && (
            <Loader size={18} color="var(--atoll-accent-line)" className={classes.loading ?? ''} />
          )}
          {choices?.map((name) => (
            <UnstyledButton key={name} className={classes.choice} onClick={() => setTarget(joinPath(target, name))}>
              <IconFolder size={18} stroke={1.6} aria-hidden="true" />
              {name}
            </UnstyledButton>
          ))}
          {choices?.length === 0 && <p className={classes.none}>{t('move.noFolders')}</p>}
        </div>
        <p className={problem || listProblem ? classes.problem : classes.words} role="status">
          {said}
        </p>
        <div className={classes.answers}>
          <Button onClick={onClose}>{t('act.cancel')}</Button>
          <Button
            variant="filled"
            loading={busy}
            disabled={target === folder}
            onClick={() => void submit(() => moveEntry(from, joinPath(target, entry.name)))}
          >
            {t('move.submit')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
