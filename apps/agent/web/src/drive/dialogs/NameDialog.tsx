import type { DriveEntry } from '@atoll/contract/personal-server'
import { Dialog } from '@atoll/ui'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { createFolder, moveEntry } from '../../api/server.ts'
import { useText } from '../../i18n/text.ts'
import { findEntryNameFault, joinPath } from '../paths.ts'
import { useSubmission } from '../use-submission.ts'
import classes from './Dialog.module.css'

interface NameDialogProps {
  folder: string
  /** The entry to rename; absent: a new folder is made. */
  entry?: DriveEntry
  onDone(): void
  onClose(): void
}

/** Asks for a name: of a new folder, or the new one of an entry. */
export function NameDialog({ folder, entry, onDone, onClose }: NameDialogProps) {
  const t = useText()
  const [name, setName] = useState(entry?.name ?? '')
  const [touched, setTouched] = useState(false)
  const { busy, problem, submit, forgive } = useSubmission(onDone)
  const fault = findEntryNameFault(name.trim())
  const save = (event: FormEvent) => {
    event.preventDefault()
    setTouched(true)
    const wanted = name.trim()
    if (fault) return
    if (!entry) return submit(() => createFolder(joinPath(folder, wanted)))
    if (wanted === entry.name) return onClose()
    return submit(() => moveEntry(joinPath(folder, entry.name), joinPath(folder, wanted)))
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={entry ? t('rename.title', { name: entry.name }) : t('newFolder.title')}
      discard={{ question: t('act.discardTitle'), keep: t('act.discardKeep'), discard: t('act.discardDo') }}
    >
      <form onSubmit={save} className={classes.form} autoComplete="off">
        <TextInput
          label={t(entry ? 'rename.label' : 'newFolder.label')}
          value={name}
          error={touched && fault ? t(`newFolder.${fault}`) : problem}
          onChange={(event) => {
            setName(event.currentTarget.value)
            forgive()
          }}
          spellCheck={false}
          data-autofocus
        />
        <div className={classes.answers}>
          <Button type="button" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" variant="filled" loading={busy}>
            {t(entry ? 'rename.submit' : 'newFolder.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
