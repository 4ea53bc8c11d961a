export { boundedInt, chainHash, exactUtc, firstHash, utcText } from './chain-hash.ts'
export { createChainWalk, type Mark } from './chain-walk.ts'
export { defineSealJob, isSealOf, sealOf } from './seals.ts'
