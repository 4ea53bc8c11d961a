import type { BackupFailure } from '@atoll/contract/agents'
import type { Reason, ReasonKey } from '@atoll/contract/api'

/** An agent's own words may be long; so much of them is kept. */
const longestWords = 500

const keys: Partial<Record<BackupFailure, ReasonKey>> = {
  wrong_password: 'backupPasswordWrong',
  unfit_password: 'backupPasswordUnfit',
  no_password: 'backupWaitsPassword',
  quota: 'backupQuotaFull',
  no_restic: 'backupNoRestic',
  unreachable: 'backupUnreachable',
  no_repository: 'backupDamaged',
  no_snapshot: 'backupDamaged',
  damaged: 'backupDamaged',
  no_room: 'backupNoRoom',
  bad_path: 'backupBadPath',
}

/**
 * The reason shown to an owner for a failure; without a sentence of its own, the agent's words. `refused`: whose room
 * was short, which restic cannot tell: it receives the same answer, 507, for a full store and a used-up quota.
 */
export function failureReason(failure: BackupFailure | undefined, text: string, refused?: 'quota' | 'disk'): Reason {
  if (failure === 'quota' && refused === 'disk') return { key: 'backupStoreFull' }
  // No version of restic has an exit code of its own for it.
  if (failure === 'failed' && text.includes('snapshot is empty')) return { key: 'backupEmpty' }
  // The words name a folder of the plan, which is no secret here.
  if (failure === 'not_moved') return { key: 'backupNotMoved', params: { said: text.slice(0, longestWords) } }
  const key = failure && keys[failure]
  return key ? { key } : saidReason(text)
}

export function saidReason(text: string): Reason {
  return { key: 'said', params: { said: text.slice(0, longestWords).toWellFormed() } }
}
