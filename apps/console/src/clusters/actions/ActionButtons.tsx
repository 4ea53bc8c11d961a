import { ActionIcon, Button } from '@mantine/core'
import { type Action, nameAction } from '../../kit/menu/action.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { useText } from '../../locales/text.ts'

interface ActionButtonsProps {
  actions: Action[]
  /** 30 on cards, 36 on a page. px */
  size: 30 | 36
  /** Whether the primary action is filled: it is the one thing the page waits for. */
  filled: boolean
  /** The object's name, if the page has the same buttons for others. */
  of?: string
}

/** Actions as buttons: the main ones with their word, the others as a named icon with a tip. */
export function ActionButtons({ actions, ...props }: ActionButtonsProps) {
  return actions
    .filter(({ place }) => place !== 'menu')
    .map((action) => <ActionButton key={action.key} action={action} {...props} />)
}

function ActionButton({ action, size, filled, of }: Omit<ActionButtonsProps, 'actions'> & { action: Action }) {
  const t = useText()
  const { label, place, primary, busy = false, disabledReason } = action
  const blocked = disabledReason !== undefined
  const icon = <action.icon size={16} stroke={1.6} aria-hidden="true" />
  const named = of === undefined ? undefined : nameAction(action, of, t)
  const state = {
    loading: busy,
    ...refusedButton(disabledReason),
    ...(!blocked && { onClick: action.onSelect }),
  }
  if (place === 'main') {
    return (
      <Button
        {...state}
        aria-label={named}
        size={size === 30 ? 'xs' : 'sm'}
        variant={primary && filled ? 'filled' : 'default'}
        leftSection={icon}
      >
        {label}
      </Button>
    )
  }
  return (
    <ActionIcon {...state} variant="default" size={size} aria-label={named ?? label} data-tip={disabledReason ?? label}>
      {icon}
    </ActionIcon>
  )
}
