import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Action } from './action.ts'

interface ActionMenuProps {
  actions: Action[]
  /** Accessible name of the button. */
  label: string
  /** px */
  size: number
  variant?: 'default' | 'subtle'
  /** Links above the actions. */
  links?: ReactNode
}

/** All actions in one menu, the dangerous ones last and apart. */
export function ActionMenu({ actions, label, size, variant = 'default', links }: ActionMenuProps) {
  const safe = actions.filter(({ danger }) => !danger)
  const dangerous = actions.filter(({ danger }) => danger)
  return (
    <Menu position="bottom-end" width={208}>
      <Menu.Target>
        <ActionIcon variant={variant} size={size} aria-label={label}>
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {links}
        {links && safe.length > 0 && <Menu.Divider role="separator" />}
        {safe.map(item)}
        {dangerous.length > 0 && (links || safe.length > 0) && <Menu.Divider role="separator" />}
        {dangerous.map(item)}
      </Menu.Dropdown>
    </Menu>
  )
}

function item(action: Action) {
  return (
    <Menu.Item
      key={action.key}
      leftSection={<action.icon size={16} stroke={1.6} aria-hidden="true" />}
      disabled={action.disabledReason !== undefined || action.busy === true}
      title={action.disabledReason}
      data-danger={action.danger || undefined}
      {...(action.danger && { color: 'var(--atoll-coral)' })}
      onClick={action.onSelect}
    >
      {action.label}
    </Menu.Item>
  )
}
