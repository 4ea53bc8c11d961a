import type { Rcode } from './codes.ts'
import type { Transport } from './respond.ts'

/** Why a packet got no answer. */
type Drop = 'noQuestion' | 'limited' | 'unsent'

/** How many questions this process answered, for the metrics. */
export interface QueryCounts {
  answer(transport: Transport, outcome: Rcode | 'TRUNCATED'): void
  drop(reason: Drop): void
  read(): QueryCount[]
}

export interface QueryCount {
  transport: Transport | 'none'
  /** The code of the answer; of none, why. */
  outcome: string
  count: number
}

export function createQueryCounts(): QueryCounts {
  const counts = new Map<string, QueryCount>()
  function add(transport: QueryCount['transport'], outcome: string): void {
    const key = `${transport} ${outcome}`
    const known = counts.get(key)
    if (known) known.count += 1
    else counts.set(key, { transport, outcome, count: 1 })
  }
  return {
    answer: add,
    drop: (reason) => add('none', reason),
    read: () => [...counts.values()],
  }
}
