/** How often things may happen: what guards this process is counted in memory, what is scarce in the database. */
export { createRateCounter, type RateCounter, type Taken } from './rate-counter.ts'
export { type ScarceUse, takeScarce } from './scarce-store.ts'
