import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { useText } from '../i18n/text.ts'
import { appearances } from './appearances.ts'

/** Steps through as the system, light, dark; its name says which it is now. */
export function AppearanceButton() {
  const t = useText()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const at = appearances.findIndex(({ scheme }) => scheme === colorScheme)
  const now = appearances[at] ?? appearances[0]
  const next = appearances[(at + 1) % appearances.length] ?? appearances[0]
  const name = `${t('shell.appearance')}: ${t(now.label)}`
  return (
    <ActionIcon aria-label={name} title={name} onClick={() => setColorScheme(next.scheme)}>
      <now.icon size={18} stroke={1.6} />
    </ActionIcon>
  )
}
