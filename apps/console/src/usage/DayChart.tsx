import type { UsageDays } from '@atoll/contract/billing'
import { formatFigure } from '@atoll/ui/i18n'
import { ActionIcon } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { useAccountNow } from '../billing/shared/use-customer.ts'
import { stepAfterKey } from '../clusters/monitoring/chart/step-keys.ts'
import { figureAxis } from '../kit/figures/value-axis.ts'
import { formatTime } from '../kit/format/times.ts'
import { useLocale, useText } from '../locales/text.ts'
import classes from './DayChart.module.css'
import { DayTable } from './DayTable.tsx'
import { type ChartedDays, type ChartPart, chartParts, type Day, isHeld } from './day-figures.ts'
import { dayText } from './period-words.ts'

interface DayChartProps {
  period: Pick<UsageDays, 'isRunning' | 'asOf' | 'periodSeconds'>
  product: ChartedDays
  days: readonly Day[]
}

/** Days between two that are named below the bars. */
const tickDays = 3

/**
 * A bar for each day, in it the clusters. Pointer and keys go through it day by day; to a screen reader it is a slider
 * over the days, which reads each one out. The same stands as a table behind a button.
 */
export function DayChart({ period, product, days }: DayChartProps) {
  const t = useText()
  const locale = useLocale()
  const now = useAccountNow()
  const [isTable, setTable] = useState(false)
  const parts = chartParts(product, days, period.periodSeconds)
  const unit = t(isHeld(product) ? 'usagePage.held' : 'usagePage.perDay')
  const nameOf = ({ name }: ChartPart) => name ?? t('usagePage.others')
  if (parts.length === 0) return <p className={classes.empty}>{t('usagePage.empty')}</p>
  return (
    <div className={classes.body}>
      <div className={classes.head}>
        <div className={classes.legend} aria-hidden="true">
          {parts.map((part, order) => (
            <span key={part.key}>
              <i data-order={order} />
              {nameOf(part)}
            </span>
          ))}
        </div>
        <div className={classes.aside}>
          <span>
            {period.isRunning
              ? [unit, t('cluster.asOf', { time: formatTime(period.asOf, now, locale) })].join(t('money.dot'))
              : unit}
          </span>
          <ActionIcon
            variant="subtle"
            size={32}
            aria-label={t(isTable ? 'usagePage.showChart' : 'usagePage.showTable')}
            data-tip={t(isTable ? 'usagePage.showChart' : 'usagePage.showTable')}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? (
              <IconChartBar size={17} stroke={1.6} aria-hidden="true" />
            ) : (
              <IconTable size={17} stroke={1.6} aria-hidden="true" />
            )}
          </ActionIcon>
        </div>
      </div>
      {isTable ? (
        <DayTable product={product} days={days} unit={unit} periodSeconds={period.periodSeconds} />
      ) : (
        <Bars parts={parts} days={days} unit={unit} nameOf={nameOf} />
      )}
    </div>
  )
}

interface BarsProps {
  parts: readonly ChartPart[]
  days: readonly Day[]
  unit: string
  nameOf: (part: ChartPart) => string
}

function Bars({ parts, days, unit, nameOf }: BarsProps) {
  const t = useText()
  const locale = useLocale()
  const help = useId()
  const [at, setAt] = useState<number>()
  const sums = days.map((_, day) => parts.reduce((sum, { figures }) => sum + (figures[day] ?? 0), 0))
  const axis = figureAxis(Math.max(0, ...sums), locale)
  const last = Math.max(
    0,
    days.findLastIndex(({ pastMs }) => pastMs > 0),
  )
  const figure = (value: number) => formatFigure(value, value < 10 ? 2 : 1, locale)
  const describe = (day: number) =>
    t('usagePage.day', {
      day: dayText(days[day]?.day ?? '', locale),
      figures: [
        `${figure(sums[day] ?? 0)} GB`,
        ...(parts.length > 1
          ? parts.map((part) => t('usagePage.part', { name: nameOf(part), used: figure(part.figures[day] ?? 0) }))
          : []),
      ].join(t('usagePage.comma')),
    })
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const day = Math.floor(((event.clientX - left) / width) * days.length)
    setAt(Math.min(Math.max(0, day), last))
  }
  const move = (event: KeyboardEvent) => {
    const next = stepAfterKey(event, at ?? last, last)
    if (next === undefined) return
    event.preventDefault()
    setAt(next === 'leave' ? undefined : next)
  }
  return (
    <div className={classes.plot}>
      <div className={classes.axis} aria-hidden="true">
        {axis.ticks.map(({ value, label }) => (
          <span key={value} style={{ bottom: `${(value / axis.top) * 100}%` }}>
            {label}
          </span>
        ))}
      </div>
      <span id={help} className="visually-hidden">
        {t('usagePage.keys')}
      </span>
      <div
        className={classes.bars}
        role="slider"
        tabIndex={0}
        aria-label={unit}
        aria-describedby={help}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={describe(at ?? last)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setAt(undefined)}
        onKeyDown={move}
        onFocus={() => at === undefined && setAt(last)}
        onBlur={() => setAt(undefined)}
      >
        {days.map(({ day, isRunning }, index) => (
          <div
            key={day}
            className={classes.day}
            data-at={index === at || undefined}
            data-running={isRunning || undefined}
          >
            <div className={classes.stack} style={{ height: `${((sums[index] ?? 0) / axis.top) * 100}%` }}>
              {parts.map(({ key, figures }, order) => {
                const value = figures[index] ?? 0
                return value > 0 && <i key={key} data-order={order} style={{ flexGrow: value }} />
              })}
            </div>
            {index % tickDays === 0 && (
              <span className={classes.tick} data-minor={index % (2 * tickDays) !== 0 || undefined} aria-hidden="true">
                {isNewMonth(days, index) ? dayText(day, locale) : Number(day.slice(-2))}
              </span>
            )}
          </div>
        ))}
      </div>
      {at !== undefined && (
        <div
          className={classes.tip}
          aria-hidden="true"
          style={
            at < days.length / 2
              ? { left: `calc(${((at + 1) / days.length) * 100}% + 44px)` }
              : { right: `${(1 - at / days.length) * 100}%` }
          }
        >
          <div className={classes.tipDay}>{dayText(days[at]?.day ?? '', locale)}</div>
          {parts.map((part, order) => (
            <div key={part.key} className={classes.tipRow}>
              <i data-order={order} />
              <span>{nameOf(part)}</span>
              <b>{`${figure(part.figures[at] ?? 0)} GB`}</b>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

/** Whether no day that is named before it is of its month. */
function isNewMonth(days: readonly Day[], index: number): boolean {
  const monthOf = (at: number) => days[at]?.day.slice(0, 7)
  return monthOf(index) !== monthOf(index - tickDays)
}
