/** Every restic that is supported does the same for the same tasks, against restic's own server. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { taskKinds } from '@atoll/contract/agents'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureResticOf } from '../../../../../scripts/programs/restic.ts'
import { placeOf } from '../repository/find-entry.ts'
import { findRestic } from '../repository/restic-version.ts'
import {
  type BackupHarness,
  backupId,
  createBackupHarness,
  describeTree,
  emptyFolder,
  filesIn,
  openAgent,
  own,
  password,
  processesWith,
  sealFor,
  startProxy,
  token,
} from './backup-harness.ts'
import type { SupportedRestic } from './supported-restics.ts'

export function describeRestic({ version, suite }: SupportedRestic): void {
  describe(`restic ${version}`, () => {
    let harness: BackupHarness
    let restic: string
    let box: string
    let drive: string
    let snapshotId = ''
    const run = (more: object = {}) => ({
      repository: harness.repository('main'),
      backupId,
      paths: ['/'],
      first: false,
      ...more,
    })

    beforeAll(async () => {
      restic = (await ensureResticOf(suite)) ?? ''
      if (restic === '') throw new Error('Debian’s package restic could not be fetched')
      expect((await findRestic(restic))?.version).toMatch(version)
      harness = await createBackupHarness(restic)
      box = await sealFor(harness.backups.publicKey)
      drive = harness.home.drive
      await mkdir(join(drive, 'Photos/2026 空'), { recursive: true })
      await mkdir(join(drive, 'Empty'))
      await writeFile(join(drive, 'Photos/2026 空/reef.jpg'), randomBytes(300_000))
      await writeFile(join(drive, '-rf'), 'a name like an option')
      await chmod(join(drive, '-rf'), 0o640)
      await utimes(join(drive, '-rf'), 1_000_000, 1_000_000)
      await symlink('/etc', join(drive, 'out'))
    })
    afterAll(() => harness[Symbol.asyncDispose]())

    test('makes the repository at the first run, and only then', async () => {
      const missing = await harness.ask('backup.run', run({ box }))
      expect(missing).toMatchObject({ outcome: 'failed', failure: 'no_repository' })
      const result = await harness.ask('backup.run', run({ box, first: true }))
      expect(result).toMatchObject({ outcome: 'done', files: 2, unreadFiles: 0 })
      const made = taskKinds['backup.run'].result.parse(result)
      if (made.outcome === 'failed') throw new Error(made.text)
      expect(made.newBytes).toBeGreaterThan(300_000)
      snapshotId = made.snapshotId
      expect(await filesIn(harness.stored('main'), 'snapshots')).toEqual([
        join(harness.stored('main'), 'snapshots', snapshotId),
      ])
      expect(await filesIn(harness.stored('main'), 'locks')).toEqual([])
    })

    test('opens it with the password that it kept, adds what is new, and counts what is not there', async () => {
      await writeFile(join(drive, 'Photos/new.txt'), 'new')
      const paths = ['/Photos', '/-rf', '/Gone']
      const result = await harness.ask('backup.run', run({ paths, first: true }))
      expect(result).toMatchObject({ outcome: 'done', files: 3, unreadFiles: 1 })
      if ('newBytes' in result) expect(result.newBytes).toBeLessThan(20_000)
      const kept = join(harness.home.folder, 'backup/passwords.json')
      expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual({ [backupId]: password })
      expect((await stat(kept)).mode & 0o777).toBe(0o600)
    })

    test('distinguishes wrong and missing passwords and paths that leave the drive', async () => {
      const failureOf = async (more: object) => await harness.ask('backup.run', run(more))
      const wrong = await sealFor(harness.backups.publicKey, 'not this one')
      expect(await failureOf({ box: wrong })).toMatchObject({ failure: 'wrong_password' })
      expect(await failureOf({ backupId: 'bk_anotherone' })).toMatchObject({ failure: 'no_password' })
      expect(await failureOf({ box: box.replace(/.{6}$/, 'AAAAAA') })).toMatchObject({ failure: 'no_password' })
      expect(await failureOf({ paths: ['/../..'] })).toMatchObject({ failure: 'bad_path' })
      expect(await failureOf({ paths: ['/out/passwd'] })).toMatchObject({ failure: 'bad_path' })
      const repository = harness.repository('main', 'http://127.0.0.1:9')
      expect(await failureOf({ repository })).toMatchObject({ failure: 'unreachable' })
    })

    test('stores a sparse file as what is in it, reads it for its root once, and brings it back, since 0.15 sparse', async () => {
      const bytes = 128 * 2 ** 20
      await mkdir(join(drive, 'Disks'))
      const image = await open(join(drive, 'Disks/image'), 'w')
      await image.truncate(bytes)
      await image.write('reef', bytes / 2)
      await image.close()
      const disks = run({ paths: ['/Disks'] })
      const made = taskKinds['backup.run'].result.parse(await harness.ask('backup.run', disks))
      if (made.outcome === 'failed') throw new Error(made.text)
      expect(made).toMatchObject({ files: 1, bytes, unreadFiles: 0, manifest: { files: 1, apart: [] } })
      expect(made.newBytes).toBeLessThan(16 * 2 ** 20)
      const again = taskKinds['backup.run'].result.parse(await harness.ask('backup.run', disks))
      expect(again).toMatchObject({ bytes, manifest: made.manifest })
      const restore = { repository: harness.repository('main'), backupId, snapshotId: made.snapshotId }
      const target = { way: 'newFolder', name: 'Disks back' }
      expect(await harness.ask('backup.restore', { ...restore, target })).toMatchObject({ outcome: 'done', bytes })
      const back = join(drive, 'Disks back/Disks/image')
      expect((await readFile(back)).equals(await readFile(join(drive, 'Disks/image')))).toBe(true)
      const { size, blocks } = await stat(back)
      expect(size).toBe(bytes)
      if (version !== '0.14') expect(blocks * 512).toBeLessThan(16 * 2 ** 20)
      for (const name of ['Disks', 'Disks back']) await rm(join(drive, name), { recursive: true })
    })

    test('restores into a new folder, and in the place of what is there', async () => {
      const before = await describeTree(drive)
      delete before['/Photos/new.txt']
      const restore = { repository: harness.repository('main'), backupId, snapshotId }
      const fresh = await harness.ask('backup.restore', { ...restore, target: { way: 'newFolder', name: 'Back' } })
      expect(fresh).toMatchObject({ outcome: 'done', files: 2, folder: 'Back' })
      const withoutTimeOf = ({ '/Photos': _, ...rest }: Record<string, unknown>) => rest
      expect(withoutTimeOf(await describeTree(join(drive, 'Back')))).toEqual(withoutTimeOf(before))

      await writeFile(join(drive, 'Photos/2026 空/reef.jpg'), 'changed')
      // Its time moves on: what was changed while restic began is kept besides.
      await sleep(200)
      const safety = await harness.ask('backup.run', run())
      const safetyId = 'snapshotId' in safety ? safety.snapshotId : ''
      const photos = { ...restore, target: { way: 'replace', paths: ['/Photos'], safetyId } }
      const first = await harness.ask('backup.restore', photos)
      expect(first).toMatchObject({ outcome: 'done', folder: null })
      expect(first).not.toHaveProperty('kept')
      expect(Object.keys(await describeTree(drive))).toContain('/Back/-rf')
      await sleep(200)
      const later = await harness.ask('backup.run', run())
      const laterId = 'snapshotId' in later ? later.snapshotId : ''
      const all = { ...restore, target: { way: 'replace', paths: ['/'], safetyId: laterId } }
      const again = { taskId: 'at_same' }
      const whole = await harness.ask('backup.restore', all, again)
      expect(withoutTimeOf(await describeTree(drive))).toEqual(withoutTimeOf(before))
      // Run again after a kill that came before its end was reported.
      expect(await harness.ask('backup.restore', all, again)).toEqual(whole)
      expect(await harness.ask('backup.restore', { ...photos, snapshotId: '1'.repeat(64) })).toMatchObject({
        failure: 'no_snapshot',
      })
      const absent = { ...restore, target: { way: 'replace', paths: ['/Absent'] } }
      expect(await harness.ask('backup.restore', absent)).toMatchObject({ failure: 'bad_path' })
      expect(withoutTimeOf(await describeTree(drive))).toEqual(withoutTimeOf(before))
    })

    test('keeps names of any bytes, and brings them back', async () => {
      const names = ['\xff\xfe', '\xfe\xff', '-n \x80\\"\n', 'cut \xe6\xbd', '\xf4\x8f\xbe\x80'].map((name) =>
        Buffer.from(name, 'latin1'),
      )
      const inOrder = (all: Buffer[]) => all.toSorted(Buffer.compare)
      await mkdir(join(drive, 'Odd'))
      for (const name of names) await writeFile(placeOf(drive, ['Odd', name]), name)
      const made = await harness.ask('backup.run', run({ paths: ['/Odd'] }))
      expect(made).toMatchObject({ outcome: 'done', files: names.length, manifest: { files: names.length, apart: [] } })
      const odd = 'snapshotId' in made ? made.snapshotId : ''
      const restore = { repository: harness.repository('main'), backupId, snapshotId: odd }
      const back = await harness.ask('backup.restore', { ...restore, target: { way: 'newFolder', name: 'Again' } })
      expect(back).toMatchObject({ outcome: 'done', files: names.length })
      expect(inOrder(await readdir(join(drive, 'Again/Odd'), { encoding: 'buffer' }))).toEqual(inOrder(names))
      for (const name of names) expect(await readFile(placeOf(drive, ['Again', 'Odd', name]))).toEqual(name)
      for (const folder of ['Odd', 'Again']) await rm(join(drive, folder), { recursive: true })
    })

    test('takes none of a drive without files, and of others all but what it may not read', async () => {
      // Root may read whatever it likes, unless that is taken from it.
      const asOthers = join(harness.folder, 'restic-as-others')
      const takes = process.getuid?.() === 0 ? 'setpriv --bounding-set=-dac_override,-dac_read_search ' : ''
      await writeFile(asOthers, `#!/bin/sh\nexec ${takes}'${restic}' "$@"\n`, { mode: 0o755 })
      const agent = await openAgent(join(harness.folder, 'another'), asOthers)
      const ask = async (taskId: string) =>
        await agent.run(
          'backup.run',
          {
            ...run({ repository: harness.repository('another'), first: true }),
            box: await sealFor(agent.backups.publicKey),
          },
          { taskId },
        )
      expect(await ask('at_empty')).toMatchObject({
        outcome: 'failed',
        text: expect.stringContaining('snapshot is empty'),
      })
      for (const name of ['open', 'shut']) await writeFile(join(agent.home.drive, name), name)
      await chmod(join(agent.home.drive, 'shut'), 0)
      expect(await ask('at_some')).toMatchObject({ outcome: 'done', files: 1, unreadFiles: 1 })
      agent.backups.stop()
    })

    test('lets go at once when the quota is full, or its right has ended, and nothing stays locked', async () => {
      await writeFile(join(drive, 'more'), randomBytes(200_000))
      for (const [status, failure] of [
        [507, 'quota'],
        [401, 'unreachable'],
      ] as const) {
        const proxy = await startProxy(harness.origin, async ({ method, url }) =>
          method === 'POST' && url?.includes('/data/') ? status : undefined,
        )
        const repository = harness.repository('main', proxy.origin)
        expect(await harness.ask('backup.run', run({ repository })), String(status)).toMatchObject({ failure })
        proxy.stop()
      }
      expect(await filesIn(harness.stored('main'), 'locks')).toEqual([])
    })

    test('shows no secret to other processes, and ends when it is canceled', async () => {
      const stalled = Promise.withResolvers<void>()
      const proxy = await startProxy(harness.origin, async ({ method, url }) => {
        if (method !== 'POST' || !url?.includes('/data/')) return undefined
        stalled.resolve()
        return await new Promise(() => undefined)
      })
      const canceling = new AbortController()
      const repository = harness.repository('main', proxy.origin)
      const ending = harness.ask('backup.run', run({ repository }), { signal: canceling.signal })
      ending.catch(() => undefined) // awaited below
      await stalled.promise
      // Other tests have backups of the same id under way; only this agent's restic has its cache here.
      const running = () => processesWith(join(harness.home.folder, 'backup'), 'environ')
      expect((await running()).length).toBeGreaterThan(0)
      // With it end the password and the token of this file alone, however a program quotes them.
      const seen = await Promise.all([processesWith(own, 'cmdline'), processesWith(own, 'environ')])
      canceling.abort(new Error('canceled'))
      await expect(ending).rejects.toThrow('canceled')
      expect(await running()).toEqual([])
      proxy.stop()
      expect(seen).toEqual([[], []])
      expect(await harness.ask('backup.run', run())).toMatchObject({ outcome: 'done' })
      expect(await filesIn(harness.stored('main'), 'locks')).toEqual([])
    })

    test('takes what was tried again and went well for no trouble', async () => {
      await writeFile(join(drive, 'even more'), randomBytes(200_000))
      await emptyFolder(join(harness.home.folder, 'backup/cache'))
      let asked = new Set<string>()
      /** Each kind of file is refused once: before each further try restic waits for seconds. */
      const proxy = await startProxy(harness.origin, async ({ method = '', url = '' }) => {
        const kind = /\/(data|index|snapshots)\/[0-9a-f]{64}/.exec(url)?.[1]
        if (method === 'DELETE' || kind === undefined || asked.has(method + kind)) return undefined
        asked.add(method + kind)
        return 500
      })
      const repository = harness.repository('main', proxy.origin)
      const done = async (kind: Parameters<BackupHarness['ask']>[0], params: object) => {
        const result = await harness.ask(kind, { repository, backupId, ...params })
        expect([kind, result]).toEqual([kind, expect.objectContaining({ outcome: 'done' })])
        expect([kind, asked.size > 0]).toEqual([kind, true])
        asked = new Set()
        return result
      }
      try {
        const made = taskKinds['backup.run'].result.parse(await done('backup.run', run({ repository })))
        if (made.outcome === 'failed') throw new Error(made.text)
        expect(made.unreadFiles).toBe(0)
        await emptyFolder(join(harness.home.folder, 'backup/cache'))
        await done('backup.restore', { snapshotId: made.snapshotId, target: { way: 'newFolder', name: 'Again' } })
        expect(Object.keys(await describeTree(join(drive, 'Again')))).toContain('/even more')
        await rm(join(drive, 'Again'), { recursive: true })
        await done('backup.check', { part: { k: 1, n: 1 } })
      } finally {
        proxy.stop()
      }
      expect(await filesIn(harness.stored('main'), 'locks')).toEqual([])
    })

    test('prunes what a snapshot needed that is gone, and checks; what was changed on the disk is damage', async () => {
      const common = { repository: harness.repository('main'), backupId }
      // As the server forgets it.
      await rm(join(harness.stored('main'), 'snapshots', snapshotId))
      expect(await harness.ask('backup.prune', common)).toMatchObject({ outcome: 'done' })
      expect(await harness.ask('backup.check', { ...common, part: { k: 1, n: 1 } })).toMatchObject({ outcome: 'done' })
      const [pack = ''] = await filesIn(harness.stored('main'), 'data')
      const bytes = await readFile(pack)
      bytes[100] = (bytes[100] ?? 0) ^ 1
      await chmod(pack, 0o600)
      await writeFile(pack, bytes)
      await emptyFolder(join(harness.home.folder, 'backup/cache'))
      const check = await harness.ask('backup.check', { ...common, part: { k: 1, n: 1 } })
      expect(check).toMatchObject({ outcome: 'failed', failure: 'damaged' })
      expect(JSON.stringify(check)).not.toContain(token)
    })
  })
}
