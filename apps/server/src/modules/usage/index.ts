/** What was used, as readings that are never changed; and whom the plan of an account lets move more. */
export { type CdnImport, importCdn } from './import/import-cdn.ts'
export { readLines } from './import/read-lines.ts'
export { createTrafficLimits, type TrafficLimits } from './limits/traffic-limits.ts'
export { createMeters } from './readings/meters.ts'
export type { MeteredInstance } from './readings/take-levels.ts'
export { type UsageReadDeps, usageRead } from './readings/usage-read.ts'
export { type ReadingsVerdict, verifyReadings } from './readings/verify-readings.ts'
