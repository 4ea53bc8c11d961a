import type { FilterMenuProps } from '../menu/FilterMenu.tsx'

interface Choice<Value extends string> extends Pick<FilterMenuProps, 'label' | 'icon' | 'all'> {
  values: readonly Value[]
  labelOf: (value: Value) => string
  value: Value | undefined
  onChoose: (value: Value | undefined) => void
}

/** A filter by one of `values`. */
export function choiceFilter<Value extends string>({
  values,
  labelOf,
  onChoose,
  ...filter
}: Choice<Value>): FilterMenuProps {
  return {
    ...filter,
    options: values.map((value) => ({ value, label: labelOf(value) })),
    onChoose: (chosen) => onChoose(values.find((value) => value === chosen)),
  }
}
