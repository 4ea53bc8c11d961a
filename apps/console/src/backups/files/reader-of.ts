import type { Backup, BackupMachine } from '@atoll/contract/backups'

/** The other cluster that reads a snapshot for its own machine; undefined: `machine` is that one. */
export function readerOf(backup: Backup, machine: BackupMachine): string | undefined {
  return machine.clusterId === backup.clusterId ? undefined : machine.clusterId
}
