import { backupCreate, backupList } from '@atoll/contract/backups'
import { type ApiClient, until } from '@atoll/testkit'
import { sealPassword } from '../../apps/console/src/backups/seal-password.ts'
import { ensureRestic } from '../../scripts/programs/restic.ts'

/** Half a day from now in UTC, so that no scheduled run begins while a test watches. */
function farSchedule() {
  const hour = (new Date().getUTCHours() + 12) % 24
  return { every: 'day', at: `${String(hour).padStart(2, '0')}:00` } as const
}

/** Backs the whole drive of `clusterId`, the only one that runs, up at once; gives the backup's ID. */
export async function backUp(api: ApiClient, clusterId: string, password: string): Promise<string> {
  const key = await until('the machine reports its key', async () => {
    const { machines } = await api.ask(backupList, {})
    return machines.find(({ restic }) => restic !== null)?.key
  })
  const backup = { clusterId, name: 'Everything', paths: ['/'], schedule: farSchedule(), timeZone: 'UTC' }
  const box = await sealPassword(password, key)
  return (await api.ask(backupCreate, { ...backup, box, runNow: true })).backupId
}

/** The path of restic, without which such a file proves nothing. */
export async function needRestic(): Promise<string> {
  const restic = await ensureRestic((text) => process.stdout.write(`${text}\n`))
  if (restic === undefined) throw new Error('there is no restic to test with')
  return restic
}
