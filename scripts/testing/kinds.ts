/**
 * The tests from outside are of two kinds. Those in these folders wait more than they compute: for a kill to be
 * noticed, for a machine to boot, for a server to start; as many of them run beside each other as there are
 * `waitingWorkers`. The others draw pages, which keeps a core busy.
 */
export const waitingTests = 'acceptance/{backups,crashes,domains,server,usage}/**/*.test.ts'
export const waitingWorkers = 4

export type Kind = 'waiting' | 'computing'

/** Names the kind for a process of Vitest; where it is not set, both are run. */
export const kindVariable = 'ATOLL_TEST_KIND'
