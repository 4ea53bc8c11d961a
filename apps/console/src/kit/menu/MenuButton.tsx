import { type ComponentType, cloneElement, type KeyboardEvent, type ReactElement, useState } from 'react'
import { showToast } from '../../data/show-toast.ts'
import { text } from '../../locales/text.ts'

/** Props of a button that opens a menu. */
export interface TriggerProps {
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  onClick?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
  onPointerEnter?: () => void
  onFocus?: () => void
}

/** Props of a loaded menu besides its own: the button it hangs on. */
export interface LoadedMenuProps {
  trigger: ReactElement
}

interface MenuButtonProps<Props extends object> {
  /** A button; it must pass on what it is given. */
  trigger: ReactElement<TriggerProps>
  load: () => Promise<ComponentType<Props & LoadedMenuProps>>
  props: Props
}

/**
 * A button with a menu whose code comes when somebody is about to press it: menus are a fifth of what the home page
 * would load, and most visits open none. Pressed before its code is there, it opens as soon as it is.
 */
export function MenuButton<Props extends object>({ trigger, load, props }: MenuButtonProps<Props>) {
  const [menu, setMenu] = useState<{ Component: ComponentType<Props & LoadedMenuProps> }>()
  if (menu) return <menu.Component {...props} trigger={trigger} />

  function open() {
    load().then(
      (Component) => setMenu({ Component }),
      () => showToast({ kind: 'failure', text: text('failure.network') }),
    )
  }
  // A menu that cannot be fetched now is fetched when the button is pressed, and a failure is shown then.
  const prepare = () => void load().catch(() => undefined)
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: open,
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      open()
    },
    onPointerEnter: prepare,
    onFocus: prepare,
  })
}
