/**
 * How runs of a backup end before their time, with real agent, restic and vault: canceled, and where the plan has no
 * room. Nothing stays locked or reserved, and the next run is good.
 */
import { randomFillSync } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backupCancel, backupCreate, backupDetail, backupList, backupPause, backupRun } from '@atoll/contract/backups'
import { createCluster } from '@atoll/contract/clusters'
import { createApiClient, findInstanceFolder, patienceMs, until } from '@atoll/testkit'
import { afterAll, expect, it } from 'vitest'
import { sealPassword } from '../../apps/console/src/backups/seal-password.ts'
import { needRestic } from '../stack/backups.ts'
import { composeOrder, waitForStatus } from '../stack/clusters.ts'
import { createPerson } from '../stack/people.ts'
import { useStack } from '../stack/use-stack.ts'

/** Of 10 MB each, which the second run has to store. */
const parts = 6
/** The machine may be busy. ms */
const timeoutMs = 2 * patienceMs
const password = 'quiet lagoons at low tide'
/** Of restic as the agent has it: with the options that a test writes to a file. */
let programs: string
const stack = useStack({
  sql: true,
  async env() {
    const restic = await needRestic()
    programs = mkdtempSync(join(tmpdir(), 'atoll-restic-with-options-'))
    chmodSync(programs, 0o755)
    const program = join(programs, 'restic')
    writeFileSync(program, `#!/bin/sh\nexec '${restic}' $(cat '${join(programs, 'options')}') "$@"\n`, { mode: 0o755 })
    setOptions('')
    return { RESTIC: program }
  },
})
afterAll(() => programs && rmSync(programs, { recursive: true }))

const setOptions = (text: string) => writeFileSync(join(programs, 'options'), text)
const query = async (text: string, ...values: unknown[]) => (await stack.sql.query(text, values)).rows

/** A backup whose first run, of a small file, is completed; then its drive gets more. */
async function makeBackup() {
  const { api, session } = await createPerson(stack.server.url)
  const { userid } = session
  const { clusterId } = await api.ask(createCluster, await composeOrder(api, { name: 'Rangiroa' }))
  const { instanceId } = await waitForStatus(api, clusterId, ['inactivated', 'running'], timeoutMs)
  const drive = join(findInstanceFolder(stack.server.dataDir, instanceId), 'drive')
  writeFileSync(join(drive, 'reef.txt'), 'Here be corals')
  const key = await until('the machine reports its key', async () => {
    const { machines } = await api.ask(backupList, {})
    return machines.find(({ restic }) => restic !== null)?.key ?? undefined
  })
  const { backupId } = await api.ask(backupCreate, {
    clusterId,
    name: 'Everything',
    paths: ['/'],
    schedule: { every: 'month', at: '03:00', day: 1 },
    timeZone: 'Europe/Berlin',
    runNow: true,
    box: await sealPassword(password, key),
  })
  await api.ask(backupPause, { backupId, paused: true })
  const newest = async (by = api) => (await by.ask(backupDetail, { backupId })).backup.newest
  const onTimeout = async () => JSON.stringify([await newest(), stack.server.log.slice(-15)])
  const run = async () => (await api.ask(backupRun, { backupId })).snapshotId
  const ended = () =>
    until('the run has ended', async () => ((found) => found?.endedAt && found)(await newest()), {
      timeoutMs,
      onTimeout,
    })
  expect(await ended()).toMatchObject({ state: 'Completed', files: 1 })
  mkdirSync(join(drive, 'Music'))
  const part = Buffer.alloc(10_000_000)
  for (let at = 0; at < parts; at += 1) writeFileSync(join(drive, 'Music', `${at}`), randomFillSync(part))
  const [{ repo_id = '' } = {}] = await query('select repo_id from backups where id = $1', backupId)
  const locks = () => readdirSync(join(stack.server.dataDir, 'vault', repo_id, 'locks'))
  const held = async () =>
    (await query('select * from vault_usage where owner = (select account_id from accounts where did = $1)', userid))[0]
  return { api, session, userid, backupId, newest, onTimeout, run, ended, locks, held }
}

it(
  'a run that is under way is the same on every page, and ends when it is canceled',
  async () => {
    const { api, session, backupId, newest, onTimeout, run, ended, locks, held } = await makeBackup()
    // It takes a minute, however quick the machine is.
    setOptions('--limit-upload 1024')
    await run()
    const seen = await until(
      'it says how far it is',
      async () => {
        const found = await newest()
        return (found?.progress?.bytesDone ?? 0) > 0 || found?.endedAt ? found : undefined
      },
      { timeoutMs, intervalMs: 20, onTimeout },
    )
    expect(seen).toMatchObject({ state: 'Running', kind: 'Incremental', cancellable: true, endedAt: null })
    // Another tab, and this one after a reload, know the same.
    const other = await newest(createApiClient(stack.server.url, session))
    expect(other).toMatchObject({ snapshotId: seen.snapshotId, state: 'Running' })
    expect(other?.progress?.bytesDone).toBeGreaterThanOrEqual(seen.progress?.bytesDone ?? 0)
    const askedAt = performance.now()
    await api.ask(backupCancel, { backupId })
    expect(await ended()).toMatchObject({ state: 'Canceled', cancellable: false, progress: null })
    process.stdout.write(`canceled after ${Math.round(performance.now() - askedAt)} ms\n`)
    expect(locks()).toEqual([])
    await until('nothing is reserved', async () => Number((await held()).reserved_bytes) === 0, { timeoutMs })
    setOptions('')
    await run()
    expect(await ended()).toMatchObject({ state: 'Completed', files: 1 + parts })
  },
  4 * timeoutMs,
)

it(
  'a run for which the plan has no room fails, says so, and the next one is good when there is room',
  async () => {
    const { userid, run, ended, locks, held } = await makeBackup()
    // As if other backups of the account held all but 20 MB of the 5 GB that the plan includes.
    const others = 4_980_000_000
    await query(
      'update vault_usage set live_bytes = live_bytes + $2 where owner = (select account_id from accounts where did = $1)',
      userid,
      others,
    )
    const askedAt = performance.now()
    await run()
    const reason = 'There is no room left for backups in your plan. Make room, or choose a larger plan.'
    expect(await ended()).toMatchObject({ state: 'Failed', reason })
    process.stdout.write(`failed for want of room after ${Math.round(performance.now() - askedAt)} ms\n`)
    expect(locks()).toEqual([])
    await until('nothing is reserved', async () => Number((await held()).reserved_bytes) === 0, { timeoutMs })
    expect(Number((await held()).live_bytes)).toBeLessThanOrEqual(5_000_000_000)
    await query(
      'update vault_usage set live_bytes = live_bytes - $2 where owner = (select account_id from accounts where did = $1)',
      userid,
      others,
    )
    await run()
    expect(await ended()).toMatchObject({ state: 'Completed', files: 1 + parts, reason: null })
    expect(locks()).toEqual([])
  },
  4 * timeoutMs,
)
