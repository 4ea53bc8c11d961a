/** Usage as readings that are never changed, and traffic limits by the plan of an account. */
export { importCdn } from './import/import-cdn.ts'
export { readLines } from './import/read-lines.ts'
export { forgetAllowance } from './limits/allowance-store.ts'
export { createTrafficLimits, type TrafficLimits } from './limits/traffic-limits.ts'
export { createMeters } from './readings/meters.ts'
export { takeBackup } from './readings/take-backups.ts'
export { usageRead } from './readings/usage-read.ts'
export { verifyReadings } from './readings/verify-readings.ts'
