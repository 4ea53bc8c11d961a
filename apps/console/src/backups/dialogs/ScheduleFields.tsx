import '@mantine/core/styles/SegmentedControl.layer.css'
import type { BackupSchedule } from '@atoll/contract/backups'
import { NativeSelect, SegmentedControl } from '@mantine/core'
import { serverNow } from '../../config/runtime-config.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { readerTimeWords } from '../plan-clock.ts'
import { weekdayName } from '../plan-words.ts'
import { findSlotOwner, SlotGrid, slotLabel, type TakenSlots } from './SlotGrid.tsx'

type Every = BackupSchedule['every']
const everies = ['hour', 'day', 'week', 'month'] as const satisfies Every[]
const count = (most: number) => Array.from({ length: most }, (_, index) => index + 1)

interface ScheduleFieldsProps {
  value: BackupSchedule
  onChange: (schedule: BackupSchedule) => void
  /** By whose clock it runs, an IANA name. */
  timeZone: string
  /** The zone is asked for beside it. */
  isZoneAsked?: boolean
  problem: string | undefined
  /** Of other backups of the cluster. */
  taken: TakenSlots
}

/** When a backup runs, on the clock of its cluster. */
export function ScheduleFields({ value, onChange, timeZone, isZoneAsked, problem, taken }: ScheduleFieldsProps) {
  const t = useText()
  const locale = useLocale()
  const owner = findSlotOwner(value, taken)
  const readerTime = readerTimeWords({ schedule: value, timeZone }, serverNow(), t, locale)
  const at = value.every === 'hour' ? '03:00' : value.at
  const choose = (every: Every) => {
    if (every === 'hour') onChange({ every, minute: 0 })
    else if (every === 'day') onChange({ every, at })
    else if (every === 'week') onChange({ every, at, weekday: 7 })
    else onChange({ every, at, day: 1 })
  }
  return (
    <fieldset aria-label={t('backups.when')}>
      <p className={classes.label}>{t('backups.when')}</p>
      <SegmentedControl
        fullWidth
        aria-label={t('backups.howOften')}
        value={value.every}
        onChange={(chosen) => {
          const every = everies.find((known) => known === chosen)
          if (every) choose(every)
        }}
        data={everies.map((every) => ({ value: every, label: t(`backups.every.${every}`) }))}
      />
      <SlotGrid value={value} onChange={onChange} taken={taken} />
      <div className={`${classes.pair} ${classes.second}`}>
        {value.every === 'week' && (
          <NativeSelect
            label={t('backups.weekday')}
            value={String(value.weekday)}
            onChange={({ currentTarget }) => onChange({ ...value, weekday: Number(currentTarget.value) })}
            data={count(7).map((day) => ({ value: String(day), label: weekdayName(day, locale) }))}
          />
        )}
        {value.every === 'month' && (
          <NativeSelect
            label={t('backups.day')}
            value={String(value.day)}
            onChange={({ currentTarget }) => onChange({ ...value, day: Number(currentTarget.value) })}
            data={count(31).map(String)}
          />
        )}
      </div>
      {(owner || problem) && (
        <p className={classes.problem} role="alert">
          {owner ? t('backups.slotUsed') : problem}
        </p>
      )}
      {owner && <p className={classes.help}>{t('backups.slotOwner', { time: slotLabel(value), name: owner.name })}</p>}
      {!isZoneAsked && <p className={classes.help}>{t('backups.zoneHelp', { zone: timeZone })}</p>}
      {readerTime && <p className={classes.help}>{readerTime}</p>}
    </fieldset>
  )
}
