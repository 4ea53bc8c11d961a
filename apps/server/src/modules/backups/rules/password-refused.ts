import type { RestoreRow } from '../tables.ts'
import { storeReason } from './reason-text.ts'

/** Whether a restore waits for another password, because the one that it had opened nothing. */
export function isPasswordRefused({ needs_password, reason }: Pick<RestoreRow, 'needs_password' | 'reason'>): boolean {
  return needs_password && reason === storeReason({ key: 'backupPasswordWrong' })
}
