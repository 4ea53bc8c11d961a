/**
 * The password of a backup is changed by real restic while the machine holds it, whole and cut off at each request that
 * changes the store: one password that the machine keeps opens it at any time.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { PasswordResult, RunResult } from '@atoll/contract/agents'
import { expect, test } from 'vitest'
import { ensureResticOf } from '../../../../scripts/programs/restic.ts'
import { backupId, createBackupWorld, filesIn, sealFor, startProxy } from './testing/backup-world.ts'
import { newestRestic } from './testing/supported-restics.ts'

const typed = 'Grüße aus Köln, 2026'
const [nfc, nfd] = [typed.normalize('NFC'), typed.normalize('NFD')]
const [first, second, third] = ['the first password', 'the second password', 'the third password']

/** A backup with one run under the first password. */
async function openChange() {
  const restic = (await ensureResticOf(newestRestic.suite)) ?? ''
  if (restic === '') throw new Error('Debian’s package restic could not be fetched')
  const world = await createBackupWorld(restic)
  await mkdir(world.home.drive, { recursive: true })
  await writeFile(join(world.home.drive, 'note'), 'kept')
  const run = async (password?: string) => {
    const box = password === undefined ? {} : { box: await sealFor(world.backups.publicKey, password) }
    const asked = { repository: world.repository('main'), backupId, paths: ['/'], first: true, ...box }
    return RunResult.parse(await world.ask('backup.run', asked))
  }
  /** restic itself on what is stored, with a password: what it exits with is 0, or 12 for a wrong one. */
  async function runRestic(password: string, ...args: string[]): Promise<number> {
    const env = { PATH: process.env['PATH'], HOME: world.folder, RESTIC_PASSWORD: password }
    const reached = ['-r', world.stored('main'), '--no-cache', ...args]
    const ended = promisify(execFile)(restic, reached, { env })
    return await ended.then(
      () => 0,
      ({ code }: { code: number }) => code,
    )
  }
  expect(await run(first)).toMatchObject({ outcome: 'done' })
  return {
    world,
    run,
    restic: runRestic,
    keys: async () => (await filesIn(world.stored('main'), 'keys')).map((file) => basename(file)),
    kept: async () =>
      (JSON.parse(await readFile(join(world.home.folder, 'backup/passwords.json'), 'utf8')) as Record<string, string>)[
        backupId
      ] ?? '',
    async change(password: string, oldKey: string, repository = world.repository('main'), signal?: AbortSignal) {
      const box = await sealFor(world.backups.publicKey, password)
      const asked = { repository, backupId, box, oldKey }
      return PasswordResult.parse(await world.ask('backup.password', asked, signal && { signal }))
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

test('another password takes the place of the one that is kept, in one form, and the old one opens nothing', async () => {
  await using changing = await openChange()
  const { run, keys, kept, change, restic } = changing
  const [old = ''] = await keys()
  expect(await change('tab\tin the middle', old)).toMatchObject({ failure: 'unfit_password' })
  expect(await keys()).toEqual([old])
  expect(await change(nfd, old)).toMatchObject({ outcome: 'done', left: 0 })
  const [made = '', ...more] = await keys()
  expect([made === old, more, await kept()]).toEqual([false, [], nfc])
  expect([await restic(first, 'snapshots'), await restic(nfc, 'snapshots')]).toEqual([12, 0])
  expect(await run()).toMatchObject({ outcome: 'done' })
  // The same task again, as after a kill before it was reported.
  expect(await change(nfd, old)).toMatchObject({ outcome: 'done', left: 0 })
  expect(await keys()).toEqual([made])
})

const cuts = (['POST', 'DELETE'] as const).flatMap((method) => [
  { method, when: 'before' as const },
  { method, when: 'after' as const },
])

test.each(cuts)(
  'cut off $when the vault has done the $method of a key, the password that is kept opens the backup, and the task again ends the change',
  async ({ method, when }) => {
    await using changing = await openChange()
    const { world, run, keys, kept, change, restic } = changing
    const [old = ''] = await keys()
    const cut = new AbortController()
    const proxy = await startProxy(world.origin, async (req: IncomingMessage) => {
      if (cut.signal.aborted) return 503
      if (req.method !== method || !req.url?.includes('/keys/')) return undefined
      if (when === 'after') {
        const body = method === 'POST' ? { body: new Uint8Array(await buffer(req)) } : {}
        expect((await fetch(world.origin + req.url, { method, ...body })).status).toBe(200)
      }
      cut.abort(new Error('cut off'))
      return 503
    })
    try {
      await change(second, old, world.repository('main', proxy.origin), cut.signal).catch(() => undefined)
    } finally {
      proxy.stop()
    }
    expect(cut.signal.aborted).toBe(true)
    // As the vault does when a right ends; restic's own server has none.
    for (const file of await filesIn(world.stored('main'), 'locks')) await rm(file)
    const isAdded = method === 'DELETE' || when === 'after'
    const isRemoved = method === 'DELETE' && when === 'after'
    expect(await keys()).toHaveLength(isAdded && !isRemoved ? 2 : 1)
    expect(await kept()).toBe(method === 'DELETE' ? second : first)
    expect(await restic(await kept(), 'cat', 'config')).toBe(0)

    const again = await change(second, old)
    expect(again, JSON.stringify(again)).toMatchObject({ outcome: 'done', left: 0 })
    expect([(await keys()).includes(old), await keys()]).toEqual([false, [expect.any(String)]])
    expect(await restic(first, 'cat', 'config')).toBe(12)
    expect(await run()).toMatchObject({ outcome: 'done' })
  },
)

test('a key of a change that never ended goes with the next change, one for each right', async () => {
  await using changing = await openChange()
  const { world, keys, change, restic } = changing
  const [old = ''] = await keys()
  const added = join(world.folder, 'added')
  await writeFile(added, second)
  expect(await restic(first, 'key', 'add', `--new-password-file=${added}`)).toBe(0)
  const orphan = (await keys()).find((name) => name !== old) ?? ''
  expect(await change(third, old)).toMatchObject({ outcome: 'done', left: 1 })
  expect(await restic(second, 'cat', 'config')).toBe(0)
  expect(await change(third, orphan)).toMatchObject({ outcome: 'done', left: 0 })
  const opens = [await restic(first, 'cat', 'config'), await restic(second, 'cat', 'config')]
  expect([opens, await restic(third, 'cat', 'config'), await keys()]).toEqual([[12, 12], 0, [expect.any(String)]])
  // Its password has a key already: none is added, and the key in use is never removed, not even when asked to.
  const [last = ''] = await keys()
  expect(await change(third, last)).toMatchObject({ outcome: 'done', left: 0 })
  expect(await keys()).toEqual([last])
})
