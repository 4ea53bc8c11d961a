import { defineTimedJob, type Job } from '../../platform/jobs/index.ts'
import type { CredentialDeps } from './credential-deps.ts'
import { deleteNonces } from './stores/credential-store.ts'

/** A presentation that comes again after so long finds its domain past the step that takes one. ms */
const keptMs = 30 * 24 * 60 * 60_000

/** Forgets what was presented long ago. */
export function noncesPrune({ db, clock }: Pick<CredentialDeps, 'db' | 'clock'>): Job {
  return defineTimedJob({
    name: 'credential.noncesPrune',
    lane: 'own',
    waits: 'deadline',
    cron: '41 3 * * *',
    run: () => deleteNonces(db, new Date(clock.now().getTime() - keptMs)),
  })
}
