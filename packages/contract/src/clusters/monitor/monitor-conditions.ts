/** When measurements are asked for (spec §4, "Monitoring"). */

export interface MonitorFacts {
  /** The resource store is initialized: the account’s clusters are known. */
  initialized: boolean
  /** The cluster is running. */
  running: boolean
  clusterId: string | undefined
  account: { userid: string } | undefined
  /** A load is in progress. */
  loading: boolean
}

/** The conditions, in the order in which a missing one is named. */
export const monitorConditions = ['account', 'initialized', 'clusterId', 'running', 'notLoading'] as const
export type MonitorCondition = (typeof monitorConditions)[number]

/** The first condition that does not hold; undefined while all five do, and only then are measurements asked for. */
export function findMissingCondition(facts: MonitorFacts): MonitorCondition | undefined {
  const holds: Record<MonitorCondition, boolean> = {
    account: Boolean(facts.account),
    initialized: facts.initialized,
    clusterId: Boolean(facts.clusterId),
    running: facts.running,
    notLoading: !facts.loading,
  }
  return monitorConditions.find((condition) => !holds[condition])
}
