import { ActionIcon } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ChoiceItemsProps } from '../../kit/menu/ChoiceItems.tsx'
import { ChoiceMenu } from '../../kit/menu/ChoiceMenu.tsx'

interface HeaderChoiceProps<Value extends string> extends ChoiceItemsProps<Value> {
  label: string
  icon: Icon
}

/** An icon in the header that opens a choice. */
export function HeaderChoice<Value extends string>({ label, icon: Icon, ...props }: HeaderChoiceProps<Value>) {
  return (
    <ChoiceMenu
      {...props}
      width={184}
      trigger={
        <ActionIcon aria-label={label} data-tip={label}>
          <Icon size={18} stroke={1.6} />
        </ActionIcon>
      }
    />
  )
}
