import { backupTimes } from '../modules/backups/index.ts'
import { billingTimes } from '../modules/billing/index.ts'
import { certificateTimes } from '../modules/certificates/index.ts'
import { clusterTimes } from '../modules/clusters/index.ts'
import { dnsTimes } from '../modules/dns/index.ts'
import { domainTimes } from '../modules/domains/index.ts'
import { observeTimes } from '../modules/observe/index.ts'
import { vaultTimes } from '../modules/vault/index.ts'
import { platformTimes, type StoredTimes } from '../platform/careful/index.ts'

/** Of all modules: what a clock that was set back has left in the future. */
export const storedTimes: readonly StoredTimes[] = [
  ...platformTimes,
  ...backupTimes,
  ...billingTimes,
  ...certificateTimes,
  ...clusterTimes,
  ...dnsTimes,
  ...domainTimes,
  ...observeTimes,
  ...vaultTimes,
]
