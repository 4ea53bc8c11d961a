import { mostMovedNames } from '@atoll/contract/domains'
import { Button, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import dialog from '../../kit/dialog/Dialog.module.css'
import { useText } from '../../locales/text.ts'
import classes from './Dialogs.module.css'

interface DkimNamesProps {
  names: readonly string[]
  isFound: (name: string) => boolean
  onAdd: (name: string) => void
}

/** Asks for the names of DKIM keys, which cannot be listed. */
export function DkimNames({ names, isFound, onAdd }: DkimNamesProps) {
  const t = useText()
  const [typed, setTyped] = useState('')
  const name = typed.trim().toLowerCase().replace(/\.$/, '')
  const isFull = names.length >= mostMovedNames
  function add() {
    if (name === '' || isFull) return
    if (!names.includes(name)) onAdd(name)
    setTyped('')
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter') return
    // Not the answer of the dialog.
    event.preventDefault()
    add()
  }
  return (
    <div className={dialog.field}>
      <div className={classes.find}>
        <TextInput
          className="grow"
          label={t('domains.dkim')}
          placeholder={t('domains.dkimExample')}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button onClick={add} disabled={isFull}>
          {t('domains.dkimFind')}
        </Button>
      </div>
      <p className={dialog.help}>{t('domains.dkimHelp')}</p>
      <div aria-live="polite">
        {names
          .filter((each) => !isFound(each))
          .map((each) => (
            <p key={each} className={dialog.help}>
              {t('domains.dkimNone', { name: each })}
            </p>
          ))}
      </div>
    </div>
  )
}
