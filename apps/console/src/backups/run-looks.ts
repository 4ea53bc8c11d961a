/** How the states of runs and restores look, and what they are called. */
import type { RunState } from '@atoll/contract/backups'
import type { DocumentLook } from '../billing/shared/document-looks.ts'

export const runLooks: Record<RunState, DocumentLook> = {
  Pending: { label: 'backups.pending', colour: 'amber', shape: 'hollow' },
  Started: { label: 'backups.started', colour: 'amber', shape: 'ring' },
  Running: { label: 'backups.running', colour: 'amber', shape: 'ring' },
  Completed: { label: 'backups.completed', colour: 'green', shape: 'disc' },
  Failed: { label: 'backups.failed', colour: 'coral', shape: 'disc' },
  Canceled: { label: 'backups.canceled', colour: 'grey', shape: 'square' },
}

/** Of a backup whose stored files are not what was written. */
export const damagedLook: DocumentLook = { label: 'backups.damaged', colour: 'coral', shape: 'disc', tint: 'coral' }
