import { byLabel, type Measurement } from './measurements.ts'

type Counts = Readonly<Record<string, number>>

/** Figures about how a deployment does the work that was asked of it. */
export interface MeasuredState {
  instances(): Promise<Counts>
  /** Operations that run longer than they may. */
  lateOperations(): Promise<number>
  agents(): Promise<Counts>
  backupRuns(): Promise<Counts>
  /** Backups of which an interval or more passed without a run. */
  lateBackups(): Promise<number>
  /** Days since the oldest proof that a backup can be read; undefined: there is nothing to prove. */
  oldestProofDays(): Promise<number | undefined>
  mails(): Promise<Counts>
}

export function stateMeasurements(state: MeasuredState): Measurement[] {
  const counted = (name: string, help: string, label: string, read: () => Promise<Counts>): Measurement => ({
    name,
    help,
    labelNames: [label],
    read: async () => byLabel(label, await read()),
  })
  return [
    counted('atoll_instances', 'Instances by status, those that are gone excepted.', 'status', state.instances),
    counted('atoll_agents', 'Agents by whether they are connected now.', 'state', state.agents),
    counted(
      'atoll_backup_runs',
      "Runs of customers' backups by state: those under way, and those that ended within a day.",
      'state',
      state.backupRuns,
    ),
    counted('atoll_mails', 'Mails of 30 days by state.', 'state', state.mails),
    {
      name: 'atoll_operations_late',
      help: 'Operations on clusters that run longer than they may.',
      read: async () => [[await state.lateOperations()]],
    },
    {
      name: 'atoll_backups_late',
      help: 'Clusters with a backup of which an interval or more passed without a run.',
      read: async () => [[await state.lateBackups()]],
    },
    {
      name: 'atoll_backup_proof_age_seconds',
      help: 'Since a part of a backup was read back, of the one whose proof is oldest; none: there is nothing to prove.',
      async read() {
        const days = await state.oldestProofDays()
        return days === undefined ? [] : [[days * 86_400]]
      },
    },
  ]
}
