import { useMantineColorScheme } from '@mantine/core'
import { appearances } from '../../kit/menu/appearances.ts'
import { useText } from '../../locales/text.ts'
import { HeaderChoice } from './HeaderChoice.tsx'

/** Chooses the colour scheme; the icon shows the current choice. */
export function AppearanceMenu() {
  const t = useText()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = appearances.find(({ scheme }) => scheme === colorScheme) ?? appearances[0]
  return (
    <HeaderChoice
      label={t('shell.appearance')}
      icon={current.icon}
      value={colorScheme}
      choices={appearances.map(({ scheme, icon, label }) => ({ value: scheme, label: t(label), icon }))}
      onChoose={setColorScheme}
    />
  )
}
