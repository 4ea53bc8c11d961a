import type { MachineCopies } from '@atoll/contract/clusters'
import type { Boot, Boots } from './boots.ts'

/** The copies of a machine's disk, as its owner is shown them; null when none was noticed. */
export function copiesOf({ serving, refused, isAnswered }: Boots): MachineCopies | null {
  if (!serving || refused.length === 0) return null
  return { isAnswered, serving: toCopy(serving), refused: refused.map(toCopy).reverse() }
}

function toCopy({ id: bootId, hostName, at }: Boot): MachineCopies['serving'] {
  return { bootId, hostName, at: new Date(at).toISOString() }
}
