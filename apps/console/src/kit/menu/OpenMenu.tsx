import { Menu, type MenuProps } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type RefAttributes,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import classes from './OpenMenu.module.css'

interface OpenMenuProps extends Pick<MenuProps, 'width'> {
  /** The button it hangs on. */
  trigger: ReactElement
  position?: MenuProps['position']
  children: ReactNode
}

/**
 * A menu that opens as it appears. Its button is a new one, so it takes focus first: closing gives focus back to it.
 * Its entries may change while it is open: focus on an entry that goes away moves to the next one, as without focus the
 * next key would close the menu.
 */
export function OpenMenu({ trigger, position = 'bottom-end', width, children }: OpenMenuProps) {
  const target = useRef<HTMLElement>(null)
  const dropdown = useRef<HTMLDivElement>(null)
  /** Which entry has the focus, or had it last; -1: none since it opened. */
  const at = useRef(-1)
  const [opened, setOpened] = useState(false)
  const [place, setPlace] = useState<HTMLElement>()
  useEffect(() => {
    target.current?.focus()
    setPlace(target.current?.closest<HTMLElement>('main, header, nav') ?? undefined)
    setOpened(true)
  }, [])
  const entries = () => [...(dropdown.current?.querySelectorAll<HTMLElement>('[data-menu-item]:not(:disabled)') ?? [])]
  useLayoutEffect(() => {
    if (!opened) at.current = -1
    else if (at.current >= 0 && document.activeElement === document.body) {
      const left = entries()
      left[Math.min(at.current, left.length - 1)]?.focus()
    }
  })
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position={position}
      // Part of the landmark its button is in, for people who navigate by landmarks.
      portalProps={place ? { target: place } : {}}
      {...(width !== undefined && { width })}
      checkIcon={<IconCheck size={15} stroke={2.2} aria-hidden="true" />}
    >
      <Menu.Target>{cloneElement(trigger as ReactElement<RefAttributes<HTMLElement>>, { ref: target })}</Menu.Target>
      <Menu.Dropdown
        ref={dropdown}
        className={classes.menu ?? ''}
        onFocus={({ target: entry }) => {
          at.current = entries().indexOf(entry)
        }}
      >
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
