import { IconCalendar } from '@tabler/icons-react'
import { useText } from '../../locales/text.ts'
import type { FilterMenuProps } from '../menu/FilterMenu.tsx'

const dayMs = 24 * 60 * 60_000

/** The filter 'the last so many days', which stands in the address as a number of `choices`. */
export function usePeriodFilter<Days extends number>(
  choices: readonly Days[],
  value: Days | undefined,
  onChoose: (days: Days | undefined) => void,
): FilterMenuProps {
  const t = useText()
  return {
    label: t('table.filterTime'),
    icon: IconCalendar,
    all: t('table.anyTime'),
    options: choices.map((count) => ({ value: String(count), label: t('table.days', { count }) })),
    value: value === undefined ? undefined : String(value),
    onChoose: (chosen) => onChoose(choices.find((days) => String(days) === chosen)),
  }
}

/** When a period of so many days up to `now`, ms, began, as the calls take it. */
export function periodStart(days: number, now: number): string {
  return new Date(now - days * dayMs).toISOString()
}
