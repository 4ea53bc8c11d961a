import type { Icon } from '@tabler/icons-react'
import type { Filter } from '../kit/table/FilterBar.tsx'

interface Choice<Value extends string> {
  key: string
  /** What is filtered by. */
  label: string
  icon: Icon
  /** The choice that filters nothing. */
  all: string
  values: readonly Value[]
  labelOf: (value: Value) => string
  value: Value | undefined
  onChoose: (value: Value | undefined) => void
}

/** A filter by one of `values`. */
export function choiceFilter<Value extends string>({ values, labelOf, onChoose, ...filter }: Choice<Value>): Filter {
  return {
    ...filter,
    options: values.map((value) => ({ value, label: labelOf(value) })),
    onChoose: (chosen) => onChoose(values.find((value) => value === chosen)),
  }
}
