import type { MeasuredState } from '../http/operations/state-metrics.ts'
import { countAgents } from '../modules/agents/index.ts'
import { countRuns, listLateBackups, listOldProofs } from '../modules/backups/index.ts'
import { countInstances } from '../modules/clusters/index.ts'
import { countMails } from '../modules/mail/index.ts'
import { countLateOperations } from '../platform/operations/index.ts'
import type { Base } from './modules.ts'

export function measuredState({ db, clock }: Pick<Base, 'db' | 'clock'>): MeasuredState {
  return {
    instances: () => countInstances(db),
    lateOperations: () => countLateOperations(db, clock.now()),
    agents: () => countAgents(db),
    backupRuns: () => countRuns(db, clock.now()),
    lateBackups: async () => (await listLateBackups(db, clock.now())).length,
    async oldestProofDays() {
      const days = (await listOldProofs(db, clock.now())).map(({ value }) => value)
      return days.length === 0 ? undefined : Math.max(...days)
    },
    mails: () => countMails(db),
  }
}
