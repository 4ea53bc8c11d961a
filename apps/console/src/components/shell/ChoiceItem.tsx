import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface ChoiceItemProps {
  chosen: boolean
  onChoose: () => void
  icon?: ReactNode
  lang?: string
  children: ReactNode
}

/** A menu item of which one is chosen. */
export function ChoiceItem({ chosen, onChoose, icon, lang, children }: ChoiceItemProps) {
  return (
    <Menu.Item
      role="menuitemradio"
      aria-checked={chosen}
      leftSection={icon}
      rightSection={chosen ? <IconCheck size={15} stroke={2.2} aria-hidden="true" /> : undefined}
      onClick={onChoose}
    >
      <span lang={lang}>{children}</span>
    </Menu.Item>
  )
}
