import { ActionIcon, Button } from '@mantine/core'
import type { Action } from './action.ts'

interface ActionButtonsProps {
  actions: Action[]
  /** 30 on cards, 36 on a page. px */
  size: 30 | 36
}

/** Actions as buttons: the main ones with their word, the others as a named icon with a tooltip. */
export function ActionButtons({ actions, size }: ActionButtonsProps) {
  return actions
    .filter(({ place }) => place !== 'menu')
    .map((action) => {
      const blocked = action.disabledReason !== undefined
      const tip = action.disabledReason ?? action.label
      const icon = <action.icon size={16} stroke={1.6} aria-hidden="true" />
      return action.place === 'main' ? (
        <Button
          key={action.key}
          data-tip={action.disabledReason}
          size={size === 30 ? 'xs' : 'sm'}
          variant={action.primary && size === 36 ? 'filled' : 'default'}
          leftSection={icon}
          loading={action.busy ?? false}
          {...(blocked && { 'data-disabled': true })}
          aria-disabled={blocked}
          onClick={blocked ? undefined : action.onSelect}
        >
          {action.label}
        </Button>
      ) : (
        <ActionIcon
          key={action.key}
          data-tip={tip}
          variant="default"
          size={size}
          aria-label={action.label}
          loading={action.busy ?? false}
          {...(blocked && { 'data-disabled': true })}
          aria-disabled={blocked}
          onClick={blocked ? undefined : action.onSelect}
        >
          {icon}
        </ActionIcon>
      )
    })
}
