import type { ReasonKey } from '@atoll/contract/api'
import type { AgentRow } from '../../agents/index.ts'
import type { BackupRow } from '../tables.ts'

export interface WaitFacts {
  agent: Pick<AgentRow, 'connected' | 'backups'> | undefined
  password: BackupRow['password']
  /** As many runs as there may be are under way. */
  isFull: boolean
  /** Its cluster's servers are suspended: nothing new is kept of it. */
  isHeld?: boolean
}

/** Why a run has to wait; undefined: it can be sent. Reasons that a person can resolve come first. */
export function waitReason({ agent, password, isFull, isHeld }: WaitFacts): ReasonKey | undefined {
  if (isHeld) return 'backupWaitsRelease'
  if (password === 'missing' || password === 'wrong') return 'backupWaitsPassword'
  if (!agent?.connected) return 'backupWaitsMachine'
  if (!agent.backups) return 'backupWaitsAgent'
  if (agent.backups.restic === null) return 'backupWaitsRestic'
  return isFull ? 'backupWaitsSlot' : undefined
}
