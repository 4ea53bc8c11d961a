import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import type { ChoiceProps } from '../../kit/confirm/confirm.ts'
import classes from '../../kit/dialog/Dialog.module.css'
import { useText } from '../../locales/text.ts'

/** Whether the owner's hosts delete what is on them. */
export function WipeField({ value, onChange }: ChoiceProps) {
  const t = useText()
  return (
    <Checkbox
      className={classes.field ?? ''}
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={t('dialog.wipe')}
      description={t('dialog.wipeHelp')}
      classNames={{ label: classes.choice ?? '', description: classes.choiceHelp ?? '' }}
    />
  )
}
