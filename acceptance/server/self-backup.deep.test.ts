/** The control plane lost and brought back: by its own backup, with the homes of its instances, on real restic. */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createCluster, resourceList } from '@atoll/contract/clusters'
import {
  findInstanceFolder,
  listInstances,
  listProcessesOf,
  operatorProgram,
  patienceMs,
  repositoryRoot,
  type ServerProcess,
  startServer,
  until,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findResticProgram } from '../../scripts/programs/restic.ts'
import { composeOrder, waitForStatus } from '../stack/clusters.ts'
import { createPerson, type Person } from '../stack/people.ts'

const unpacked = join(repositoryRoot, '.tools/restic/trixie/restic')
const restic = findResticProgram() ?? (existsSync(unpacked) ? unpacked : undefined)

/** A restored database recovers first, and the machine may be busy. */
const timeoutMs = 2 * patienceMs
let scratch: string
let settings: Record<string, string>
let server: ServerProcess
let person: Person
/** From before the backup, and from after it. */
let older: { clusterId: string; instanceId: string }
let newer: { clusterId: string; instanceId: string }
/** Folder with the homes of the lost deployment. */
let homes: string

/** One of the operator's commands, as npm runs it. */
async function run(file: string, dataDir: string, ...args: string[]) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    ATOLL_DATA_DIR: dataDir,
    RESTIC: restic ?? '',
    ATOLL_INSTANCE_DIR: join(dataDir, 'homes'),
    ...settings,
  }
  const child = spawn(process.execPath, [operatorProgram(file), ...args], {
    cwd: repositoryRoot,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, said }
}

async function makeCluster(name: string) {
  const { clusterId } = await person.api.ask(createCluster, await composeOrder(person.api, { name }))
  const { instanceId } = await waitForStatus(person.api, clusterId, ['inactivated'])
  return { clusterId, instanceId }
}

/** As when the machine is lost: nothing is asked to end. */
async function endAllIn(folder: string): Promise<void> {
  for (const { pid } of listProcessesOf(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
  await until('nothing runs there any more', () => listProcessesOf(folder).length === 0)
}

describe.skipIf(restic === undefined)('a deployment that was lost', () => {
  let first: ServerProcess
  let restored: string
  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'atoll-self-'))
    chmodSync(scratch, 0o755)
    writeFileSync(join(scratch, 'password'), 'a password for tests', { mode: 0o600 })
    settings = {
      ATOLL_SELF_BACKUP_REPOSITORY: join(scratch, 'repository'),
      ATOLL_SELF_BACKUP_PASSWORD_FILE: join(scratch, 'password'),
    }
    restored = join(scratch, 'restored')
    first = await startServer({ timeoutMs })
    server = first
    person = await createPerson(first.url)
    older = await makeCluster('older')
  })
  afterAll(async () => {
    await server?.dispose()
    await first?.dispose()
    if (restored) await endAllIn(restored)
    if (scratch) rmSync(scratch, { recursive: true, force: true })
  })

  it('is backed up while it works, and what was backed up is whole', async () => {
    expect(await run('recovery/self-backup.ts', first.dataDir)).toMatchObject({
      code: 2,
      said: expect.stringMatching(/init/),
    })
    expect(await run('recovery/self-backup.ts', first.dataDir, 'init')).toMatchObject({ code: 0 })
    const [one] = await Promise.all([run('recovery/self-backup.ts', first.dataDir), createPerson(first.url)])
    expect(one).toMatchObject({ code: 0, said: expect.stringMatching(/Backed up as [0-9a-f]{8,64}/) })
    newer = await makeCluster('newer')
    expect(existsSync(join(first.dataDir, 'self-backup'))).toBe(false)
    const verified = await run('recovery/self-verify.ts', first.dataDir)
    expect(verified).toMatchObject({ code: 0, said: expect.stringMatching(/\d+ tables, \d+ rows, all read/) })
    expect(verified.said).toMatch(/audit log is whole: [1-9]\d* records/)
    const metrics = await (await fetch(`${first.url}/metrics`)).text()
    expect(metrics).toMatch(/^atoll_self_backup_age_seconds \d/m)
  })

  it('is not restored over anything, nor while its instances run', async () => {
    homes = dirname(dirname(findInstanceFolder(first.dataDir, older.instanceId)))
    expect(await run('recovery/self-restore.ts', first.dataDir)).toMatchObject({
      code: 2,
      said: expect.stringMatching(/not empty/),
    })
    expect(await run('recovery/self-restore.ts', restored, '--instances', homes)).toMatchObject({
      code: 2,
      said: expect.stringMatching(/Instances still run/),
    })
  })

  it('is brought back into an empty folder: its clusters run as before, what it does not know stays', async () => {
    await first.kill('SIGKILL')
    await endAllIn(first.dataDir)
    const folderId = readFileSync(join(homes, 'folder-id'), 'utf8')
    const answer = await run('recovery/self-restore.ts', restored, '--instances', homes)
    expect(answer).toMatchObject({ code: 0, said: expect.stringMatching(/Brought back what was backed up at/) })
    expect(readFileSync(join(restored, 'folder-id'), 'utf8')).toBe(folderId)
    server = await startServer({ dataDir: restored, ports: first.ports, timeoutMs })
    await waitForStatus(person.api, older.clusterId, ['inactivated'])
    await until(
      'the cluster from before the backup runs again, alone',
      () =>
        listInstances(restored)
          .map(({ instanceId }) => instanceId)
          .join() === older.instanceId,
    )
    // Sessions of before the backup are signed in, and later ones are unknown.
    const clusters = await person.api.ask(resourceList, {})
    expect(clusters.map(({ clusterId }) => clusterId)).not.toContain(newer.clusterId)
    await until('the sweep has found what it does not know', async () =>
      (await run('admin/admin.ts', restored, 'strays')).said.includes(newer.instanceId),
    )
    expect(readdirSync(findInstanceFolder(restored, newer.instanceId))).toContain('instance.json')
    const readyz = await (await fetch(`${server.url}/readyz`)).text()
    expect(readyz).toContain('No money moves')
    expect(await run('books/audit-verify.ts', restored)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Whole/),
    })
    expect(await run('admin/admin.ts', restored, 'resume')).toMatchObject({
      said: expect.stringMatching(/Money moves again.*series R1/),
    })
    expect(await run('admin/admin.ts', restored, 'resume')).toMatchObject({
      said: expect.stringMatching(/not careful/),
    })
  })

  it('is brought back without its instances: nothing is made in their place', async () => {
    const bare = join(scratch, 'bare')
    // Another key is at hand than that of the copy.
    settings = { ...settings, ATOLL_SECRET_KEY: 'x'.repeat(43) }
    const foreign = await run('recovery/self-restore.ts', join(scratch, 'foreign'))
    expect(foreign).toMatchObject({ code: 0, said: expect.stringMatching(/NOT that of this backup/) })
    settings = { ...settings, ATOLL_SECRET_KEY: '' }
    expect(await run('recovery/self-restore.ts', bare)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/wait until/),
    })
    expect(existsSync(join(bare, 'folder-id'))).toBe(false)
    await server.kill('SIGTERM')
    await endAllIn(restored)
    await using alone = await startServer({ dataDir: bare, ports: first.ports, timeoutMs })
    await until('the worker says that the folder is away', () =>
      alone.log.some((line) => line.includes('not the folder with the instances')),
    )
    expect(listInstances(bare)).toEqual([])
    await alone.kill('SIGTERM')
  })

  it('refuses what cannot be a backup', async () => {
    const dataDir = join(scratch, 'refused')
    mkdirSync(dataDir)
    const refused = async (change: Record<string, string>, why: RegExp) => {
      const before = settings
      settings = { ...settings, ...change }
      expect(await run('recovery/self-backup.ts', dataDir)).toMatchObject({ code: 2, said: expect.stringMatching(why) })
      settings = before
    }
    await refused({ ATOLL_SELF_BACKUP_REPOSITORY: join(dataDir, 'own') }, /REPOSITORY: must lie outside/)
    await refused({ ATOLL_SELF_BACKUP_PASSWORD_FILE: join(dataDir, 'password') }, /PASSWORD_FILE: must lie outside/)
    await refused({ ATOLL_SELF_BACKUP_REPOSITORY: '' }, /ATOLL_SELF_BACKUP_REPOSITORY: is missing/)
    await refused({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, /DATABASE_URL cannot be used/)
  })
})
