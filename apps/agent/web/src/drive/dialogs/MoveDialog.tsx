import type { DriveFound } from '@atoll/contract/personal-server'
import { Dialog } from '@atoll/ui'
import { Button, Loader, UnstyledButton } from '@mantine/core'
import { IconArrowLeft, IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { moveEntry } from '../../api/server.ts'
import { useText } from '../../i18n/text.ts'
import { joinPath, nameOf, parentOf } from '../paths.ts'
import { useBatch } from '../selection/use-batch.ts'
import { useFolders } from '../use-folders.ts'
import classes from './Dialog.module.css'

interface MoveDialogProps {
  items: readonly DriveFound[]
  onDone(): void
  onClose(): void
}

/** Walks the folders to the place that entries should move to. */
export function MoveDialog({ items, onDone, onClose }: MoveDialogProps) {
  const t = useText()
  const [only] = items
  const [target, setTarget] = useState(only ? parentOf(only.path) : '/')
  const { folders, problem: listProblem } = useFolders(target)
  const { busy, problem, submit, leave } = useBatch(items, { onDone, onClose })
  const isThere = items.every(({ path }) => parentOf(path) === target)
  const shownName = (path: string) => (path === '/' ? t('drive.root') : nameOf(path))
  const said = problem ?? listProblem ?? (isThere ? t(items.length > 1 ? 'move.sameMany' : 'move.same') : undefined)
  // A folder cannot go into itself: it is not offered.
  const choices = folders?.filter((name) => !items.some(({ path }) => path === joinPath(target, name)))
  const title =
    only && items.length === 1 ? t('move.title', { name: only.name }) : t('move.manyTitle', { count: items.length })
  const move = ({ path, name }: DriveFound) => moveEntry(path, joinPath(target, name))
  return (
    <Dialog opened onClose={leave} title={title}>
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
          <Button onClick={leave}>{t('act.cancel')}</Button>
          <Button variant="filled" loading={busy} disabled={isThere} onClick={() => void submit(move)}>
            {t('move.submit')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
