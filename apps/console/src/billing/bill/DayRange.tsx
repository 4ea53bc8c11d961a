import { Button, Popover, TextInput } from '@mantine/core'
import { IconCalendar, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDate } from '../../kit/format/billing-dates.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './DayRange.module.css'

export interface Days {
  from?: string
  to?: string
}

interface DayRangeProps {
  days: Days
  onChange: (days: Days) => void
}

/** The filter 'when': from one day to another, either left open. */
export function DayRange({ days, onChange }: DayRangeProps) {
  const t = useText()
  const [opened, setOpened] = useState(false)
  const chosen = useWords(days)
  const field = (key: keyof Days, label: string) => (
    <TextInput
      type="date"
      label={label}
      value={days[key] ?? ''}
      {...(key === 'from' ? { max: days.to } : { min: days.from })}
      onChange={({ currentTarget: { value } }) => onChange(withDay(days, key, value))}
    />
  )
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      // In a low window the focus scrolls the button away.
      hideDetached={false}
    >
      <Popover.Target>
        <Button
          aria-label={t('common.labelled', { label: t('table.filterTime'), value: chosen })}
          leftSection={<IconCalendar size={16} stroke={1.6} aria-hidden="true" />}
          rightSection={<IconChevronDown size={15} stroke={1.6} aria-hidden="true" />}
          onClick={() => setOpened(!opened)}
        >
          {chosen}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.fields ?? ''} aria-label={t('table.filterTime')}>
        {field('from', t('bill.from'))}
        {field('to', t('bill.to'))}
        <Button
          size="xs"
          variant="subtle"
          disabled={days.from === undefined && days.to === undefined}
          onClick={() => onChange({})}
        >
          {t('table.anyTime')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

function withDay({ from, to }: Days, key: keyof Days, value: string): Days {
  const next = { ...(from && { from }), ...(to && { to }), [key]: value }
  return Object.fromEntries(Object.entries(next).filter(([, day]) => day !== ''))
}

/** `1 Sep 2026 – 30 Sep 2026`, 'From 1 Sep 2026'. */
function useWords({ from, to }: Days): string {
  const t = useText()
  const locale = useLocale()
  // A day has no zone: it is written as it stands.
  const day = (text: string) => formatDate(`${text}T00:00:00Z`, 'UTC', locale)
  if (from && to) return `${day(from)} – ${day(to)}`
  if (from) return t('bill.since', { day: day(from) })
  if (to) return t('bill.until', { day: day(to) })
  return t('table.anyTime')
}
