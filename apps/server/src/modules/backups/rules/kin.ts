/**
 * Clusters that cannot be active beside each other: those that a backup was made of, and those that were made from it.
 * Other clusters of the same account have their own files and do not conflict.
 */
export interface Lineage {
  /** The cluster that the plan belongs to, and those that it belonged to before. */
  sources: readonly string[]
  /** Those that were made of its snapshots. */
  made: readonly string[]
}

/** All of a backup's clusters but `except`, each once. */
export function kinOf({ sources, made }: Lineage, except: string | undefined): string[] {
  return [...new Set([...sources, ...made])].filter((id) => id !== except)
}

/** Those that cannot be active beside `clusterId`, by all backups that it has to do with. */
export function kinOfCluster(lineages: readonly Lineage[], clusterId: string): string[] {
  const own = lineages.filter(({ sources, made }) => sources.includes(clusterId) || made.includes(clusterId))
  return [...new Set(own.flatMap((lineage) => kinOf(lineage, clusterId)))]
}
