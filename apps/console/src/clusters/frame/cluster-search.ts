import { type MonitorRange, monitorRanges } from '@atoll/contract/wire'

export const clusterTabs = ['overview', 'monitoring', 'backups', 'network', 'history', 'access', 'settings'] as const
export type ClusterTab = (typeof clusterTabs)[number]

export interface ClusterSearch {
  /** Absent: the overview. */
  tab?: Exclude<ClusterTab, 'overview'>
  /** Of the monitoring, as `instance` is; absent: the one shown first. */
  range?: MonitorRange
  /** Absent: all of them. */
  instance?: string
}

/**
 * The search of `/cluster/{id}`: the tab and what its charts show, so that a link leads to it; what is unknown, and
 * what belongs to another tab, is dropped.
 */
export function clusterSearch(search: Record<string, unknown>): ClusterSearch {
  const tab = clusterTabs.find((known) => known === search.tab)
  if (!tab || tab === 'overview') return {}
  if (tab !== 'monitoring') return { tab }
  const range = monitorRanges.find((known) => known === search.range)
  const { instance } = search
  return { tab, ...(range && { range }), ...(typeof instance === 'string' && instance !== '' && { instance }) }
}
