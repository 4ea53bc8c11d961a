import { Button, Menu } from '@mantine/core'
import { type Icon, IconCheck, IconChevronDown } from '@tabler/icons-react'
import classes from './FilterMenu.module.css'

interface FilterMenuProps {
  /** What is filtered by, before the choice in the button's name. */
  label: string
  icon: Icon
  /** The choice that filters nothing. */
  all: string
  options: { value: string; label: string }[]
  /** Undefined: all. */
  value: string | undefined
  onChoose: (value: string | undefined) => void
}

/** One choice of several, or all, in a menu whose button says what is chosen. */
export function FilterMenu({ label, icon: FilterIcon, all, options, value, onChoose }: FilterMenuProps) {
  const chosen = options.find((option) => option.value === value)
  return (
    <Menu position="bottom-end" checkIcon={<IconCheck size={15} stroke={2.2} aria-hidden="true" />}>
      <Menu.Target>
        <Button
          className={classes.button ?? ''}
          aria-label={`${label}: ${chosen?.label ?? all}`}
          leftSection={<FilterIcon size={16} stroke={1.6} aria-hidden="true" />}
          rightSection={<IconChevronDown size={15} stroke={1.6} aria-hidden="true" />}
        >
          {chosen?.label ?? all}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu ?? ''}>
        <Menu.RadioItem value="" closeMenuOnClick checked={!chosen} onChange={() => onChoose(undefined)}>
          {all}
        </Menu.RadioItem>
        {options.map((option) => (
          <Menu.RadioItem
            key={option.value}
            value={option.value}
            closeMenuOnClick
            checked={option.value === value}
            onChange={onChoose}
          >
            {option.label}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
