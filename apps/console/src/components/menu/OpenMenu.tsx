import { Menu, type MenuProps } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { cloneElement, type ReactElement, type ReactNode, type RefAttributes, useEffect, useRef, useState } from 'react'
import classes from './OpenMenu.module.css'

interface OpenMenuProps extends Pick<MenuProps, 'width'> {
  /** The button it hangs on. */
  trigger: ReactElement
  position?: MenuProps['position']
  children: ReactNode
}

/** A menu that opens as it appears. Its button is a new one, so it takes focus first: closing gives focus back to it. */
export function OpenMenu({ trigger, position = 'bottom-end', width, children }: OpenMenuProps) {
  const target = useRef<HTMLElement>(null)
  const [opened, setOpened] = useState(false)
  const [place, setPlace] = useState<HTMLElement>()
  useEffect(() => {
    target.current?.focus()
    setPlace(target.current?.closest<HTMLElement>('main, header, nav') ?? undefined)
    setOpened(true)
  }, [])
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position={position}
      // Part of the landmark its button is in, for whoever goes by landmarks.
      portalProps={place ? { target: place } : {}}
      {...(width !== undefined && { width })}
      checkIcon={<IconCheck size={15} stroke={2.2} aria-hidden="true" />}
    >
      <Menu.Target>{cloneElement(trigger as ReactElement<RefAttributes<HTMLElement>>, { ref: target })}</Menu.Target>
      <Menu.Dropdown className={classes.menu ?? ''}>{children}</Menu.Dropdown>
    </Menu>
  )
}
