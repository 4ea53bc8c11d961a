import type { ReactElement } from 'react'
import type { ChoiceItemsProps } from './ChoiceItems.tsx'
import { MenuButton, type TriggerProps } from './MenuButton.tsx'

const load = () => import('./ChoiceItems.tsx').then((module) => module.ChoiceItems<string>)

interface ChoiceMenuProps<Value extends string> extends ChoiceItemsProps<Value> {
  trigger: ReactElement<TriggerProps>
}

/** A button that opens a menu of which one is chosen. */
export function ChoiceMenu<Value extends string>({ trigger, onChoose, ...props }: ChoiceMenuProps<Value>) {
  // The chosen value is one of `choices`, all of them Values.
  return (
    <MenuButton trigger={trigger} load={load} props={{ ...props, onChoose: (value) => onChoose(value as Value) }} />
  )
}
