import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ActionItemsProps } from './ActionItems.tsx'
import { MenuButton } from './MenuButton.tsx'

const load = () => import('./ActionItems.tsx').then((module) => module.ActionItems)

interface ActionMenuProps extends ActionItemsProps {
  /** Accessible name of the button. */
  label: string
  /** px */
  size: number
  variant?: 'default' | 'subtle'
}

/** All actions in one menu. */
export function ActionMenu({ label, size, variant = 'default', ...items }: ActionMenuProps) {
  return (
    <MenuButton
      load={load}
      props={items}
      trigger={
        <ActionIcon variant={variant} size={size} aria-label={label} data-tip={label}>
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      }
    />
  )
}
