import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { type Icon, IconCheck } from '@tabler/icons-react'

interface ChoiceMenuProps<Value extends string> {
  label: string
  icon: Icon
  value: Value
  choices: { value: Value; label: string; icon?: Icon; lang?: string }[]
  onChoose: (value: Value) => void
}

/** An icon in the header that opens a menu of which one is chosen. */
export function ChoiceMenu<Value extends string>({
  label,
  icon: Icon,
  value,
  choices,
  onChoose,
}: ChoiceMenuProps<Value>) {
  return (
    <Menu position="bottom-end" width={184} checkIcon={<IconCheck size={15} stroke={2.2} aria-hidden="true" />}>
      <Tooltip label={label}>
        <Menu.Target>
          <ActionIcon aria-label={label}>
            <Icon size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </Menu>
  )
}
