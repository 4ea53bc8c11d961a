import type { usagePeriods } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import { ActionIcon, Button } from '@mantine/core'
import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useZone } from '../billing/shared/use-customer.ts'
import { ChoiceMenu } from '../kit/menu/ChoiceMenu.tsx'
import { useLocale, useText } from '../locales/text.ts'
import classes from './PeriodPicker.module.css'
import { periodText } from './period-words.ts'

interface Named {
  start: string
  end: string
  isRunning: boolean
}

interface PeriodPickerProps {
  period: Named
  /** Past ones, a page of them. */
  listed: CallData<typeof usagePeriods> | undefined
  /** Undefined: the one that is running. */
  onOpen: (end: string | undefined) => void
}

/** Which period is shown: the one before, the one after, or any that is listed. */
export function PeriodPicker({ period, listed, onOpen }: PeriodPickerProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const periods: Named[] = [
    ...(listed?.page === 1 ? [{ ...listed.running, isRunning: true }] : []),
    ...(listed?.periods ?? []),
  ]
  const words = (one: Named) => {
    const text = periodText(one, zone, locale)
    return one.isRunning ? t('usagePage.soFar', { period: text }) : text
  }
  const at = periods.findIndex(({ end }) => end === period.end)
  const [before, after] = at < 0 ? [undefined, undefined] : [periods[at + 1], periods[at - 1]]
  const open = (one: Named | undefined) => one && onOpen(one.isRunning ? undefined : one.end)
  return (
    <fieldset className={classes.picker} aria-label={t('usagePage.period')}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('usagePage.before')}
        disabled={!before}
        onClick={() => open(before)}
      >
        <IconChevronLeft size={16} stroke={1.6} aria-hidden="true" />
      </ActionIcon>
      <ChoiceMenu
        trigger={
          <Button
            className={classes.chosen ?? ''}
            rightSection={<IconChevronDown size={15} stroke={1.6} aria-hidden="true" />}
          >
            {words(period)}
          </Button>
        }
        value={period.end}
        choices={periods.map((one) => ({ value: one.end, label: words(one) }))}
        onChoose={(end) => open(periods.find((one) => one.end === end))}
        width={260}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('usagePage.after')}
        disabled={!after}
        onClick={() => open(after)}
      >
        <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
      </ActionIcon>
    </fieldset>
  )
}
