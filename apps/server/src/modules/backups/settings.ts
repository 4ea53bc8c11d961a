/** Settings of backups. */
import { Count, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const backupsSettings = {
  ATOLL_VAULT_RUNS: setting(
    Count(1, 10_000),
    '32',
    'Runs of backups that are under way at a time, of all accounts; others wait.',
  ),
}

export function backupsConfig(values: ValuesOf<typeof backupsSettings>) {
  return { vaultRuns: values.ATOLL_VAULT_RUNS }
}
