export const clusterTabs = ['overview', 'history', 'access', 'settings'] as const
export type ClusterTab = (typeof clusterTabs)[number]

export interface ClusterSearch {
  /** Absent: the overview. */
  tab?: Exclude<ClusterTab, 'overview'>
}

/** The search of `/cluster/{id}`: the tab, so that a link leads to it; an unknown one is dropped. */
export function clusterSearch(search: Record<string, unknown>): ClusterSearch {
  const tab = clusterTabs.find((known) => known === search.tab)
  return tab && tab !== 'overview' ? { tab } : {}
}
