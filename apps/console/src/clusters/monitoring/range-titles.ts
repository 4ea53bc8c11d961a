import { type MonitorRange, monitorRanges } from '@atoll/contract/wire'
import type { TextKey } from '../../locales/text.ts'

const titles = ['monitoring.last12h', 'monitoring.last24h', 'monitoring.last3d', 'monitoring.last7d'] as const

/** Titles of the ranges. */
export const rangeTitles = Object.fromEntries(monitorRanges.map((range, at) => [range, titles[at]])) as Record<
  MonitorRange,
  TextKey
>
