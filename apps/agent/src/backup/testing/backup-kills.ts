/** Agent or restic is killed at any moment: the next try of the task completes, no lock stays, and no restic runs. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lstatSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { patienceMs, until } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureResticOf } from '../../../../../scripts/programs/restic.ts'
import { bundledProgram } from '../../../../../scripts/testing/bundled-program.ts'
import { beginExchange, type ExchangeFolders, findExchanged, resumeExchange } from '../exchange.ts'
import { entryHash } from '../replace/held-entries.ts'
import {
  type BackupHarness,
  backupId,
  createBackupHarness,
  describeTree,
  filesIn,
  own,
  processesWith,
} from './backup-harness.ts'

let harness: BackupHarness
let restic: string
let program: string
let serial = 0
/** How long the first run took, ms: a kill comes at any moment of as long a time after restic began. */
let runMs = 0

beforeAll(async () => {
  restic = (await ensureResticOf('trixie')) ?? ''
  if (restic === '') throw new Error('Debian’s package restic could not be fetched')
  program = await bundledProgram(join(import.meta.dirname, 'backup-process.ts'))
  harness = await createBackupHarness(restic)
  await mkdir(join(harness.home.drive, 'Music'), { recursive: true })
  for (let at = 0; at < 40; at += 1) await writeFile(join(harness.home.drive, 'Music', `${at}`), randomBytes(500_000))
})
afterAll(() => harness[Symbol.asyncDispose]())

/** The task in an agent of its own; of each pair of kills another moment. */
function begin(kind: string, params: object, taskId = `at_${++serial}`, home = harness.home.folder) {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOME_FOLDER: home,
      RESTIC: restic,
      OWN: own,
      TASK: JSON.stringify({ kind, taskId, params: { repository: harness.repository('crash'), backupId, ...params } }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const closed = once(child, 'close')
  return {
    child,
    async result() {
      await closed
      if (said === '') throw new Error(`ended without a result: ${errors}`)
      return JSON.parse(said)
    },
  }
}

const ours = (home = harness.home.folder) => processesWith(home, 'environ')
/** Not those of other tests, which run meanwhile. */
const resticPids = async () => {
  const [own, all] = await Promise.all([ours(), processesWith(restic, 'cmdline')])
  const pidOf = (line: string) => Number.parseInt(line, 10)
  const pids = new Set(own.map(pidOf))
  return all
    .filter((line) => !line.includes('sh -c'))
    .map(pidOf)
    .filter((pid) => pids.has(pid))
}

/**
 * Kills the agent or its restic at any moment of a task, and waits until nothing of it is left; gives how the task
 * ended, undefined where nobody said.
 */
async function killOnce({ child, result }: ReturnType<typeof begin>, victim: 'agent' | 'restic', home?: string) {
  const ended = result().catch(() => undefined) // killed
  await until('restic runs', async () => (await resticPids()).length > 0 || child.exitCode !== null, { intervalMs: 5 })
  await sleep(Math.random() * runMs)
  if (victim === 'agent') child.kill('SIGKILL')
  else
    for (const pid of await resticPids())
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It had ended by then.
      }
  const outcome = await ended
  await until('nothing of it runs', async () => (await ours(home)).length === 0)
  // restic keeps to the lock of a process that exists in any way, also as a zombie that init has yet to collect.
  await until('no restic is a zombie', async () => (await processesWith('(restic) Z', 'stat')).length === 0)
  return outcome
}

/** Tests that kill so often each, agent and restic in turn. */
export function describeKills(kills: number): void {
  const victims = Array.from({ length: kills }, (_, at) => (at % 2 === 0 ? ('agent' as const) : ('restic' as const)))
  /** For as many kills as are asked for. */
  const timeout = 5 * patienceMs + kills * 15_000
  test('a run that is killed completes at its next try', { timeout }, async () => {
    // Whole before anything is killed: what a cut init leaves, a key without a config, only the server can take away.
    const params = { paths: ['/'], first: true }
    const begunAt = performance.now()
    expect(await begin('backup.run', params).result()).toMatchObject({ outcome: 'done' })
    runMs = performance.now() - begunAt
    for (let at = 40; at < 80; at += 1)
      await writeFile(join(harness.home.drive, 'Music', `${at}`), randomBytes(500_000))
    for (const victim of victims) {
      const outcome = await killOnce(begin('backup.run', params), victim)
      if (victim === 'restic') expect(['done', 'failed']).toContain(outcome?.outcome)
    }
    await writeFile(join(harness.home.drive, 'last'), 'last')
    expect(await begin('backup.run', params).result()).toMatchObject({ outcome: 'done', files: 81, unreadFiles: 0 })
    expect(await filesIn(harness.stored('crash'), 'locks')).toEqual([])
    expect(await begin('backup.check', { part: { k: 1, n: 1 } }).result()).toMatchObject({ outcome: 'done' })
  })

  test('a restore that replaces and is killed completes at its next try', { timeout }, async () => {
    const before = await describeTree(harness.home.drive)
    const [file = ''] = (await filesIn(harness.stored('crash'), 'snapshots')).slice(-1)
    const made = await begin('backup.run', { paths: ['/'], first: false }).result()
    expect(file).not.toBe('')
    await writeFile(join(harness.home.drive, 'Music/0'), 'changed')
    await writeFile(join(harness.home.drive, 'newer'), 'newer')
    const changed = await describeTree(harness.home.drive)
    const { snapshotId: safetyId } = await begin('backup.run', { paths: ['/'], first: false }).result()
    // After the snapshot that was taken first, thus in none.
    await writeFile(join(harness.home.drive, 'Music/1'), 'changed since')
    await writeFile(join(harness.home.drive, 'Music/uploaded'), 'uploaded since')
    const target = { way: 'replace', paths: ['/Music', '/last'], safetyId }
    const restore = { snapshotId: made.snapshotId, target }
    for (const _ of victims) {
      await killOnce(begin('backup.restore', restore, 'at_restore'), 'agent')
    }
    const restored = await begin('backup.restore', restore, 'at_restore').result()
    expect(restored).toMatchObject({ outcome: 'done', files: 81, kept: { files: 2, isWhole: false } })
    const after = await describeTree(harness.home.drive)
    expect(after['/Music/0']).toEqual(before['/Music/0'])
    expect(after['/newer']).toEqual(changed['/newer'])
    const kept = await describeTree(join(harness.home.drive, restored.kept.folder))
    const text = (of: string) => Buffer.from(of).toString('base64')
    expect(Object.keys(kept).toSorted()).toEqual(['/Music', '/Music/1', '/Music/uploaded'])
    expect([kept['/Music/1'], kept['/Music/uploaded']]).toEqual([
      expect.arrayContaining([text('changed since')]),
      expect.arrayContaining([text('uploaded since')]),
    ])
    expect(await readdir(harness.home.folder)).not.toContain('restored')
  })

  test('a restore on a new machine, which is killed again and again, completes', { timeout }, async () => {
    const made = await begin('backup.run', { paths: ['/'], first: false }).result()
    const before = await describeTree(harness.home.drive)
    const home = join(harness.folder, 'new-machine')
    const restore = { snapshotId: made.snapshotId, target: { way: 'newCluster' } }
    const ask = () => begin('backup.restore', restore, 'at_new_machine', home)
    for (const victim of victims) {
      await killOnce(ask(), victim, home)
    }
    expect(await ask().result()).toMatchObject({ outcome: 'done', files: made.files })
    expect(await describeTree(join(home, 'drive'))).toEqual(before)
    expect(await filesIn(harness.stored('crash'), 'locks')).toEqual([])
    expect(await readdir(home)).not.toContain('restored')
  })

  test('an exchange, after each of its steps', async () => {
    const places = [['a'], ['b', 'c'], []]
    const result = { outcome: 'done', files: 1, bytes: 1, durationMs: 1, folder: null } as const
    const aside = 'Before'
    for (const ofDrive of [false, true])
      for (let kill = 0; kill <= 8; kill += 1) {
        const folder = join(harness.folder, `exchange-${ofDrive}-${kill}`)
        const inside = (...names: string[]) => join(folder, ...names)
        const folders: ExchangeFolders = {
          journal: inside('journal'),
          drive: inside('drive'),
          restored: inside('restored'),
        }
        for (const [root, text] of [
          ['drive', 'old'],
          ['restored/new', 'new'],
        ] as const) {
          await mkdir(inside(root, 'b'), { recursive: true })
          await writeFile(inside(root, 'a'), text)
          await writeFile(inside(root, 'b/c'), text)
        }
        await writeFile(inside('drive/only'), 'old')
        // All but one file was kept elsewhere.
        const held = new Set(['a', 'only', 'b'].map((name) => heldAs(name, inside('drive', name))))
        const chosen = ofDrive ? places.slice(2) : places.slice(0, 2)
        const calls = { left: kill }
        const cut = beginExchange(
          folders,
          { taskId: 'at_1', places: chosen, aside, held, lost: [], result },
          async (act) => {
            if (calls.left-- === 0) throw new Error('killed')
            await act()
          },
        )
        await cut.catch((error: Error) => expect(error.message).toBe('killed'))
        await resumeExchange(folders)
        const read = async (name: string) => await readFile(inside('drive', name), 'utf8')
        expect([await read('a'), await read('b/c')]).toEqual(['new', 'new'])
        expect(await readdir(inside('drive'))).toEqual(ofDrive ? [aside, 'a', 'b'] : [aside, 'a', 'b', 'only'])
        expect(await read('Before/b/c')).toBe('old')
        expect(await readdir(inside('drive', aside))).toEqual(['b'])
        const kept = { folder: aside, files: 1, isWhole: false }
        expect(await findExchanged(folders, 'at_1')).toEqual({ ...result, kept })
        expect(await readdir(folder)).not.toContain('restored')
      }
  })
}

/** The entry at `place` is held as it is. */
function heldAs(path: string, place: string): string {
  return entryHash(path, lstatSync(place, { bigint: true })) ?? ''
}
