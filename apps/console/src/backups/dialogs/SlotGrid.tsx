import { type BackupMachine, type BackupSchedule, isSlotShared, slotMinutes } from '@atoll/contract/backups'
import { useId } from 'react'
import { useText } from '../../locales/text.ts'
import classes from './SlotGrid.module.css'

const twoDigits = (value: number) => String(value).padStart(2, '0')
const minutes = Array.from({ length: 60 / slotMinutes }, (_, index) => index * slotMinutes)
const times = Array.from({ length: 24 }, (_, hour) =>
  minutes.map((minute) => `${twoDigits(hour)}:${twoDigits(minute)}`),
).flat()

/** Starts that other backups of the cluster have. */
export type TakenSlots = BackupMachine['slots']

/** The other backup that starts when `schedule` would. */
export function findSlotOwner(schedule: BackupSchedule, taken: TakenSlots): TakenSlots[number] | undefined {
  return taken.find((other) => isSlotShared(other.schedule, schedule))
}

/** The proposed time of a new backup: daily, in the night, at the first start that no other backup has. */
export function proposeSchedule(taken: TakenSlots): BackupSchedule {
  const night = times.indexOf('03:00')
  const proposed = [...times.slice(night), ...times.slice(0, night)].map((at) => ({ every: 'day' as const, at }))
  const free = proposed.find((schedule) => findSlotOwner(schedule, taken) === undefined)
  // With every start taken the grid says so.
  return free ?? { every: 'day', at: '03:00' }
}

/** `03:00`, of an hourly one `:15`. */
export function slotLabel(schedule: BackupSchedule): string {
  return schedule.every === 'hour' ? `:${twoDigits(schedule.minute)}` : schedule.at
}

interface SlotGridProps {
  value: BackupSchedule
  onChange: (schedule: BackupSchedule) => void
  taken: TakenSlots
}

/** The starts of a day, or of an hour, of which one is chosen; taken ones are struck out (board 26). */
export function SlotGrid({ value, onChange, taken }: SlotGridProps) {
  const t = useText()
  const group = useId()
  const isHourly = value.every === 'hour'
  const slots: BackupSchedule[] = isHourly
    ? minutes.map((minute) => ({ ...value, minute }))
    : times.map((at) => ({ ...value, at }))
  return (
    <div
      key={isHourly ? 'hour' : 'day'}
      ref={showChosen}
      className={classes.grid}
      role="radiogroup"
      aria-label={t(isHourly ? 'backups.minute' : 'backups.time')}
    >
      {slots.map((slot) => {
        const label = slotLabel(slot)
        const isChosen = label === slotLabel(value)
        const isTaken = findSlotOwner(slot, taken) !== undefined
        return (
          <label
            key={label}
            className={classes.slot}
            data-taken={isTaken || undefined}
            data-chosen={isChosen || undefined}
          >
            <input
              type="radio"
              name={group}
              value={label}
              checked={isChosen}
              // The chosen one keeps the keyboard's place in the group.
              disabled={isTaken && !isChosen}
              onChange={() => onChange(slot)}
              className={classes.input}
            />
            {label}
          </label>
        )
      })}
    </div>
  )
}

/** Only the grid is moved: the dialog stays where it is. */
function showChosen(grid: HTMLDivElement | null): void {
  const chosen = grid?.querySelector<HTMLElement>('[data-chosen]')
  if (grid && chosen) grid.scrollTop = chosen.offsetTop - chosen.offsetHeight
}
