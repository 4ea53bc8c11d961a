import { UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useText } from '../../locales/text.ts'
import classes from './AppearanceButton.module.css'
import { appearances } from './appearances.ts'

/**
 * Steps through as the system, light, dark; its name says which it is now. Not an ActionIcon: those are 1 kB of this
 * page.
 */
export function AppearanceButton() {
  const t = useText()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const at = appearances.findIndex(({ scheme }) => scheme === colorScheme)
  const now = appearances[at] ?? appearances[0]
  const next = appearances[(at + 1) % appearances.length] ?? appearances[0]
  const name = t('common.labelled', { label: t('shell.appearance'), value: t(now.label) })
  return (
    <UnstyledButton
      className={classes.button}
      aria-label={name}
      data-tip={name}
      onClick={() => setColorScheme(next.scheme)}
    >
      <now.icon size={18} stroke={1.6} />
    </UnstyledButton>
  )
}
