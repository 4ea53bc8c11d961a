import { Button } from '@mantine/core'
import { type Icon, IconChevronDown } from '@tabler/icons-react'
import { useText } from '../../locales/text.ts'
import { ChoiceMenu } from './ChoiceMenu.tsx'
import classes from './FilterMenu.module.css'

export interface FilterMenuProps {
  /** The filtered property, before the choice in the button's name. */
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
export function FilterMenu({ label, icon: FilterIcon, all, options, value = '', onChoose }: FilterMenuProps) {
  const t = useText()
  const chosen = options.find((option) => option.value === value)?.label ?? all
  return (
    <ChoiceMenu
      value={value}
      choices={[{ value: '', label: all }, ...options]}
      onChoose={(next) => onChoose(next === '' ? undefined : next)}
      trigger={
        <Button
          className={classes.button ?? ''}
          aria-label={t('common.labelled', { label, value: chosen })}
          leftSection={<FilterIcon size={16} stroke={1.6} aria-hidden="true" />}
          rightSection={<IconChevronDown size={15} stroke={1.6} aria-hidden="true" />}
        >
          {chosen}
        </Button>
      }
    />
  )
}
