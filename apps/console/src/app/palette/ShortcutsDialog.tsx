import { Button } from '@mantine/core'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { PageDialog } from '../../kit/dialog/PageDialog.tsx'
import { type TextKey, useText } from '../../locales/text.ts'
import classes from './ShortcutsDialog.module.css'
import { commandKey } from './shortcuts.ts'

interface ShortcutsDialogProps {
  opened: boolean
  onClose: () => void
}

const rows: { keys: string[]; what: TextKey }[] = [
  { keys: [commandKey, 'K'], what: 'shortcuts.palette' },
  { keys: [commandKey, '/'], what: 'shortcuts.help' },
  { keys: ['↑', '↓'], what: 'shortcuts.move' },
  { keys: ['↵'], what: 'shortcuts.choose' },
  { keys: ['Tab'], what: 'shortcuts.skip' },
  { keys: ['Esc'], what: 'shortcuts.close' },
]

/** Which keys do what. None of them is a letter alone, so none is in the way of speech input (WCAG 2.1.4). */
export function ShortcutsDialog({ opened, onClose }: ShortcutsDialogProps) {
  const t = useText()
  return (
    <PageDialog opened={opened} onClose={onClose} title={t('shell.shortcuts')}>
      <dl className={classes.rows}>
        {rows.map(({ keys, what }) => (
          <div key={what} className={classes.row}>
            <dt>{t(what)}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} className={classes.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <DialogFooter>
        <Button data-autofocus onClick={onClose}>
          {t('failure.close')}
        </Button>
      </DialogFooter>
    </PageDialog>
  )
}
