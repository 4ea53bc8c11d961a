/** The unit of an axis of values, and its lines. */
import type { Locale } from '@atoll/contract/wire'
import { formatFigure, formatPercent } from '@atoll/ui/i18n'

export interface ValueAxis {
  /** The value of the highest line. */
  top: number
  /** Bottom first. */
  ticks: readonly { value: number; label: string }[]
}

/** Spaces between two lines that read well, to be multiplied by powers of ten. */
const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
const spaces = 4
const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** The smallest round step of which four reach `highest`. */
function roundStep(highest: number): number {
  const wanted = highest / spaces
  const power = 10 ** Math.floor(Math.log10(wanted))
  // A floating-point 0.3 is not above 0.3.
  return (steps.find((step) => step * power >= wanted * (1 - 1e-9)) ?? 10) * power
}

function axisOf(step: number, label: (value: number) => string): ValueAxis {
  const ticks = Array.from({ length: spaces + 1 }, (_, at) => ({ value: at * step, label: label(at * step) }))
  return { top: spaces * step, ticks }
}

/** 0 to 100 %. */
export function percentAxis(locale: Locale): ValueAxis {
  return axisOf(0.25, (value) => formatPercent(value, locale))
}

/** 0 to at least `highest` bytes, all lines in one unit; units are powers of `base`. */
export function bytesAxis(highest: number, base: 1000 | 1024, locale: Locale): ValueAxis {
  const least = Math.max(highest, 4)
  const power = byteUnits.findLastIndex((_, at) => base ** at <= least)
  const unit = base ** power
  return axisOf(
    roundStep(least / unit) * unit,
    (value) => `${formatFigure(value / unit, 2, locale)} ${byteUnits[power]}`,
  )
}

/** 0 to at least `highest` of a unit that stands elsewhere. */
export function figureAxis(highest: number, locale: Locale): ValueAxis {
  // Nothing at all still has lines.
  return axisOf(roundStep(highest > 0 ? highest : 1), (value) => formatFigure(value, highest < 0.01 ? 6 : 3, locale))
}
