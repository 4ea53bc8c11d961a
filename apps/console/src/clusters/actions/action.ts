import type { Icon } from '@tabler/icons-react'

/** Something a person can do, as data: every button and menu renders it the same way. */
export interface Action {
  key: string
  label: string
  icon: Icon
  onSelect: () => void
  /** Why it cannot be done now, in words; undefined: it can. */
  disabledReason?: string | undefined
  /** Being done. */
  busy?: boolean
  /** Destroys something. */
  danger?: boolean
  /** What the page is waiting for: filled where nothing else on the page waits for a person. */
  primary?: boolean
  /** How prominent: `main` has its word on a button, `side` its icon, `menu` stands only in the menu. */
  place: 'main' | 'side' | 'menu'
}

/** What can be done first, what is refused after it; otherwise as they were. */
export function openFirst(actions: Action[]): Action[] {
  const isOpen = ({ disabledReason }: Action) => disabledReason === undefined
  return [...actions.filter(isOpen), ...actions.filter((action) => !isOpen(action))]
}
