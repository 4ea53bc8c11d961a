import { type MonitorRange, monitorRanges } from '@atoll/contract/wire'
import type { TextKey } from '../../locales/text.ts'

const titles = ['monitoring.last12h', 'monitoring.last24h', 'monitoring.last3d', 'monitoring.last7d'] as const

/** What each range is called. */
export const rangeTitles = Object.fromEntries(monitorRanges.map((range, at) => [range, titles[at]])) as Record<
  MonitorRange,
  TextKey
>
