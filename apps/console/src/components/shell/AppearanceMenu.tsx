import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core'
import { useText } from '../../i18n/text.ts'
import { appearances } from '../appearances.ts'
import { ChoiceItem } from './ChoiceItem.tsx'

/** Chooses the colour scheme; the icon shows the current choice. */
export function AppearanceMenu() {
  const t = useText()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { icon: Current } = appearances.find(({ scheme }) => scheme === colorScheme) ?? appearances[0]
  return (
    <Menu position="bottom-end">
      <Tooltip label={t('shell.appearance')}>
        <Menu.Target>
          <ActionIcon aria-label={t('shell.appearance')}>
            <Current size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {appearances.map(({ scheme, icon: Icon, label }) => (
          <ChoiceItem
            key={scheme}
            icon={<Icon size={16} stroke={1.6} aria-hidden="true" />}
            chosen={scheme === colorScheme}
            onChoose={() => setColorScheme(scheme)}
          >
            {t(label)}
          </ChoiceItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
