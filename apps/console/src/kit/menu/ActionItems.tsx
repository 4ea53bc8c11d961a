import { Menu } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import classes from './ActionItems.module.css'
import type { Action } from './action.ts'
import type { LoadedMenuProps } from './MenuButton.tsx'
import { OpenMenu } from './OpenMenu.tsx'

/** A place that a menu leads to. */
export interface MenuLink {
  label: string
  icon: Icon
  link: Pick<LinkProps, 'to' | 'params' | 'search'>
}

export interface ActionItemsProps {
  actions: Action[]
  /** Places above the actions. */
  links?: MenuLink[]
}

/**
 * The dangerous ones last and apart. One that is refused now stays reachable by keyboard and touch and says why:
 * greyed words alone tell nobody what to do instead.
 */
export function ActionItems({ trigger, actions, links = [] }: ActionItemsProps & LoadedMenuProps) {
  const safe = actions.filter(({ danger }) => !danger)
  const dangerous = actions.filter(({ danger }) => danger)
  const explains = actions.some(({ disabledReason }) => disabledReason !== undefined)
  return (
    <OpenMenu trigger={trigger} width={explains ? 292 : 208}>
      {links.map(({ label, icon: LinkIcon, link }) => (
        <Menu.Item
          key={label}
          renderRoot={(props) => <Link {...props} {...link} />}
          leftSection={<LinkIcon size={16} stroke={1.6} aria-hidden="true" />}
        >
          {label}
        </Menu.Item>
      ))}
      {links.length > 0 && safe.length > 0 && <Menu.Divider role="separator" />}
      {safe.map(item)}
      {dangerous.length > 0 && links.length + safe.length > 0 && <Menu.Divider role="separator" />}
      {dangerous.map(item)}
    </OpenMenu>
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
