import { ActionIcon, Button } from '@mantine/core'
import type { Action } from './action.ts'

interface ActionButtonsProps {
  actions: Action[]
  /** 30 on cards, 36 on a page. px */
  size: 30 | 36
}

/** Actions as buttons: the main ones with their word, the others as a named icon with a tip. */
export function ActionButtons({ actions, size }: ActionButtonsProps) {
  return actions
    .filter(({ place }) => place !== 'menu')
    .map((action) => <ActionButton key={action.key} action={action} size={size} />)
}

function ActionButton({ action, size }: { action: Action; size: 30 | 36 }) {
  const { label, place, primary, busy = false, disabledReason } = action
  const blocked = disabledReason !== undefined
  const icon = <action.icon size={16} stroke={1.6} aria-hidden="true" />
  const state = {
    loading: busy,
    // Not `disabled`: one could not reach it, and would not learn why.
    ...(blocked && { 'data-disabled': true }),
    'aria-disabled': blocked,
    ...(!blocked && { onClick: action.onSelect }),
  }
  if (place === 'main') {
    return (
      <Button
        {...state}
        size={size === 30 ? 'xs' : 'sm'}
        variant={primary && size === 36 ? 'filled' : 'default'}
        leftSection={icon}
        data-tip={disabledReason}
      >
        {label}
      </Button>
    )
  }
  return (
    <ActionIcon {...state} variant="default" size={size} aria-label={label} data-tip={disabledReason ?? label}>
      {icon}
    </ActionIcon>
  )
}
