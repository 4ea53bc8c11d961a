/**
 * The server, or the whole machine, is killed while files come back from a backup: afterwards the restore completes, or
 * ends with a sentence; it was carried out once, and nothing half-restored stays in the drive.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backupDetail, backupRestore, backupSnapshots } from '@atoll/contract/backups'
import { createSeededRandom, listProcessesOf, patienceMs, type ServerProcess, startServer, until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backUp, needRestic } from '../stack/backups.ts'
import { createRunningCluster } from '../stack/clusters.ts'
import { type CrashScope, kill } from '../stack/faults/crash.ts'
import { expectSound } from '../stack/faults/soundness.ts'
import { createPerson, type Person } from '../stack/people.ts'

const seed = Number(process.env['TEST_SEED'] ?? 20_261_123)
const random = createSeededRandom(seed)
const files = Array.from({ length: 60 }, (_, at) => [`file ${at}`, randomBytes(500_000)] as const)

let server: ServerProcess
let person: Person
let drive: string
let instanceId: string
let backupId: string
let snapshotId: string

beforeAll(async () => {
  const restic = await needRestic()
  server = await startServer({ env: { RESTIC: restic } })
  person = await createPerson(server.url)
  const { api } = person
  const cluster = await createRunningCluster(api)
  instanceId = cluster.instanceId
  const homes = join(server.dataDir, 'homes')
  const found = readdirSync(homes, { recursive: true, encoding: 'utf8' })
  drive = join(homes, found.find((path) => path.includes(instanceId) && path.endsWith('/drive')) ?? '')
  for (const [name, bytes] of files) writeFileSync(join(drive, name), bytes)
  backupId = await backUp(api, cluster.clusterId, 'quiet lagoons at low tide')
  snapshotId = await until(
    'the snapshot is there',
    async () => {
      const { snapshots } = await api.ask(backupSnapshots, { backupId })
      return snapshots.find(({ state }) => state === 'Completed')?.snapshotId
    },
    { timeoutMs: 3 * patienceMs },
  )
})
afterAll(() => server?.dispose())

/** Names of what restores have put into the drive. */
const restored = () => readdirSync(drive).filter((name) => name.startsWith('Restored '))

const rounds: { at: 'Running' | number; scope: CrashScope }[] = [
  { at: 'Running', scope: 'server' },
  { at: random.between(0, 1500), scope: 'machine' },
]

describe(`killed while files come back (seed ${seed})`, () => {
  it.each(rounds)('the restore ends well or with a sentence, the $scope killed at $at', async ({ at, scope }) => {
    const { api } = person
    const before = restored()
    const { restoreId } = await api.ask(backupRestore, { backupId, snapshotId, way: 'newFolder' })
    const findRestore = async () => {
      const { restores } = await api.ask(backupDetail, { backupId })
      return restores.find((each) => each.restoreId === restoreId)
    }
    const begunAt = performance.now()
    await until(
      'the moment to kill',
      async () => {
        const now = await findRestore()
        // A quick one may be over before it is seen to run.
        if (now?.endedAt) return true
        return at === 'Running' ? now?.state === 'Running' : performance.now() - begunAt >= at
      },
      { intervalMs: 5 },
    )
    await kill(server, scope)
    await server.restart()

    // restic that was cut off by the kill tries again after pauses of its own, which grow.
    const ended = await until(
      'the restore has ended',
      async () => {
        const now = await findRestore()
        return now?.endedAt ? now : undefined
      },
      { timeoutMs: 3 * patienceMs },
    )
    const added = restored().filter((name) => !before.includes(name))
    if (ended.state === 'Completed') {
      expect(ended).toMatchObject({ files: files.length, reason: null })
      expect(added).toEqual([ended.folder?.replace(/^\//, '')])
      for (const [name, bytes] of files)
        expect(readFileSync(join(drive, added[0] ?? '', name)).equals(bytes), name).toBe(true)
    } else {
      expect(ended.state).toBe('Failed')
      expect(ended.reason).toMatch(/\S/)
      expect(added).toEqual([])
    }
    await until('no restic runs', async () =>
      listProcessesOf(server.dataDir).every(({ command }) => !command.some((part) => part.endsWith('/restic'))),
    )
    expect(readdirSync(join(drive, '..'))).not.toContain('restored')
    await expectSound(server, api, { instances: [{ instanceId, running: true }] })
  })
})
