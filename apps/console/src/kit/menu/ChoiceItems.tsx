import { Menu } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { LoadedMenuProps } from './MenuButton.tsx'
import { OpenMenu } from './OpenMenu.tsx'

export interface Choice<Value extends string> {
  value: Value
  label: string
  icon?: Icon
  /** Of the label, where it is not the page's. */
  lang?: string
}

export interface ChoiceItemsProps<Value extends string> {
  value: Value
  choices: Choice<Value>[]
  onChoose: (value: Value) => void
  width?: number
}

/** Of these one is chosen. */
export function ChoiceItems<Value extends string>({
  trigger,
  value,
  choices,
  onChoose,
  width,
}: ChoiceItemsProps<Value> & LoadedMenuProps) {
  return (
    <OpenMenu trigger={trigger} width={width}>
      {choices.map((choice) => (
        <Menu.RadioItem
          key={choice.value}
          value={choice.value}
          lang={choice.lang}
          checked={choice.value === value}
          closeMenuOnClick
          rightSection={choice.icon && <choice.icon size={16} stroke={1.6} aria-hidden="true" />}
          onChange={() => onChoose(choice.value)}
        >
          {choice.label}
        </Menu.RadioItem>
      ))}
    </OpenMenu>
  )
}
