/** Whether this database, and the clock, are of now: asked before each act that cannot be taken back. */
export {
  beCareful,
  countResumptions,
  describeCareful,
  endCareful,
  findCareful,
  findResumedAt,
  listEvidence,
  noteEvidence,
} from './careful.ts'
export { claimFile, readClaim } from './claim-file.ts'
export {
  type Claim,
  type ClaimProblem,
  type Claims,
  describePause,
  listPausedPlaces,
  type PausedPlace,
  renewClaim,
  resumeClaims,
} from './claims.ts'
export { acceptClock, type ClockWatch, createClockWatch } from './clock-watch.ts'
export {
  type Act,
  type Asked,
  doubtStop,
  explainDoubt,
  fellDueInStop,
  findDoubt,
  findHold,
  type Hold,
  listDoubts,
  raiseDoubt,
  raiseStartDoubts,
  type Source,
  settleDoubt,
  sources,
  type Waits,
} from './doubts.ts'
export { type Erased, erasedFileName, noteErased, readErased } from './erased-file.ts'
export { readOutsideClock } from './outside-clock.ts'
export { platformTimes, type StoredTimes } from './set-back.ts'
