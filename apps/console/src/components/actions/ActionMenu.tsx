import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './ActionMenu.module.css'
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

/**
 * All actions in one menu, the dangerous ones last and apart. One that is refused now stays reachable by keyboard and touch
 * and says why: greyed words alone tell nobody what to do instead.
 */
export function ActionMenu({ actions, label, size, variant = 'default', links }: ActionMenuProps) {
  const safe = actions.filter(({ danger }) => !danger)
  const dangerous = actions.filter(({ danger }) => danger)
  const explains = actions.some(({ disabledReason }) => disabledReason !== undefined)
  return (
    <Menu position="bottom-end" width={explains ? 292 : 208}>
      <Menu.Target>
        <ActionIcon variant={variant} size={size} aria-label={label}>
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu ?? ''}>
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
  const icon = <action.icon size={16} stroke={1.6} aria-hidden="true" />
  if (action.disabledReason !== undefined) {
    return (
      <Menu.Item
        key={action.key}
        leftSection={icon}
        // Not `disabled`: arrow keys and screen readers would pass over it, reason and all.
        aria-disabled
        closeMenuOnClick={false}
        className={classes.refused ?? ''}
      >
        {action.label}
        <span className={classes.reason}>{action.disabledReason}</span>
      </Menu.Item>
    )
  }
  return (
    <Menu.Item
      key={action.key}
      leftSection={icon}
      disabled={action.busy === true}
      data-danger={action.danger || undefined}
      {...(action.danger && { color: 'var(--atoll-coral)' })}
      onClick={action.onSelect}
    >
      {action.label}
    </Menu.Item>
  )
}
