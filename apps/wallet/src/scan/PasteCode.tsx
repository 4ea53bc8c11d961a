import { Dialog } from '@atoll/ui'
import { Button, Textarea } from '@mantine/core'
import { IconClipboard } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useText } from '../i18n/text.ts'
import classes from './PasteCode.module.css'

interface PasteCodeProps {
  opened: boolean
  onClose(): void
  onCode(text: string): void
}

/** Takes the text of a code, from the clipboard at a tap where the browser allows, or typed. */
export function PasteCode({ opened, onClose, onCode }: PasteCodeProps) {
  const t = useText()
  const [text, setText] = useState('')
  const [blocked, setBlocked] = useState(false)
  const readClipboard = async () => {
    try {
      const copied = await navigator.clipboard.readText()
      setBlocked(false)
      setText(copied)
    } catch {
      setBlocked(true)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCode(text)
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('scan.pasteTitle')}
      discard={{ question: t('act.discardTitle'), keep: t('act.discardKeep'), discard: t('act.discardDo') }}
    >
      <form onSubmit={submit} className={classes.form}>
        <Textarea
          label={t('scan.pasteLabel')}
          description={t('scan.pasteHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={blocked && t('scan.clipboardBlocked')}
          classNames={{ input: classes.field }}
          rows={5}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          data-autofocus
        />
        <Button
          size="lg"
          type="button"
          leftSection={<IconClipboard size={18} stroke={1.6} aria-hidden="true" />}
          onClick={() => void readClipboard()}
        >
          {t('scan.pasteClipboard')}
        </Button>
        <div className={classes.answers}>
          <Button size="lg" type="button" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button size="lg" type="submit" variant="filled" disabled={text.trim() === ''}>
            {t('scan.pasteGo')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
