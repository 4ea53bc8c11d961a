export { checkSameKey, isKeyOf, keyMarkFact, requireSameKey } from './key-guard.ts'
export { forgottenAfter, type KeyMove, type KeyMoveDeps, madeAtStart, sealedColumn, together } from './key-move.ts'
export { countUses, type KeyMoves, keyMoveJob, listWithout, moveAll, nextKey, switchKey } from './rotation.ts'
