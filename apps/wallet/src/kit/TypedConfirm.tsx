import { Dialog } from '@atoll/ui'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import classes from './TypedConfirm.module.css'

interface TypedConfirmProps {
  opened: boolean
  /** A question with the object's name. */
  title: string
  /** Sentences about losses, and about things that stay. */
  consequences: readonly string[]
  /** The text to type, and the label that asks for it. */
  word: string
  label: string
  keepLabel: string
  goLabel: string
  onKeep(): void
  onGo(): void
}

/** Before something is destroyed: consequences first, then a typed word; the safe answer stands left. */
export function TypedConfirm({
  opened,
  title,
  consequences,
  word,
  label,
  keepLabel,
  goLabel,
  onKeep,
  onGo,
}: TypedConfirmProps) {
  const [typed, setTyped] = useState('')
  const ready = typed.trim().toLowerCase() === word.toLowerCase()
  const close = () => {
    setTyped('')
    onKeep()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ready) return
    setTyped('')
    onGo()
  }
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <form onSubmit={submit} className={classes.form} autoComplete="off">
        {consequences.map((sentence) => (
          <p key={sentence} className={classes.consequence}>
            {sentence}
          </p>
        ))}
        <TextInput
          label={label}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          data-autofocus
        />
        <div className={classes.answers}>
          <Button size="lg" type="button" onClick={close}>
            {keepLabel}
          </Button>
          <Button size="lg" type="submit" variant="danger" disabled={!ready}>
            {goLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
