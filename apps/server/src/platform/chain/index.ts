export { boundedInt, chainHash, exactUtc, firstHash, utcText } from './chain-hash.ts'
export { type ChainBreak, type ChainWalk, createChainWalk, type Mark } from './chain-walk.ts'
export { defineSealJob, isSealOf, type SealedChain, sealOf } from './seals.ts'
export { readSeals, sealAgain } from './seals-again.ts'
