import type { Check } from '../check.ts'
import { backupChecks } from './backups.ts'
import { clusterChecks } from './clusters.ts'
import { configurationChecks } from './configuration.ts'
import { databaseChecks } from './database.ts'
import { moneyChecks } from './money.ts'
import { nameChecks } from './names-and-mail.ts'

/** In the order in which they are shown. */
export const allChecks: readonly Check[] = [
  ...configurationChecks,
  ...databaseChecks,
  ...moneyChecks,
  ...clusterChecks,
  ...nameChecks,
  ...backupChecks,
]
