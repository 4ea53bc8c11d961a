/**
 * The password of a backup is changed by real restic while the machine holds it, whole and cut off at each request that
 * changes the store: one password that the machine keeps opens it at any time. The supported versions of restic
 * change keys in the same steps: one is enough.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { PasswordResult, RunResult } from '@atoll/contract/agents'
import { describe, expect, test } from 'vitest'
import { ensureResticOf } from '../../../../scripts/programs/restic.ts'
import { backupId, createBackupHarness, filesIn, sealFor, startProxy } from './testing/backup-harness.ts'
import { newestRestic } from './testing/supported-restics.ts'

const typed = 'Grüße aus Köln, 2026'
const [nfc, nfd] = [typed.normalize('NFC'), typed.normalize('NFD')]
const [first, second, third] = ['the first password', 'the second password', 'the third password']

/** A backup with one run under the first password. */
async function openChange() {
  const restic = (await ensureResticOf(newestRestic.suite)) ?? ''
  if (restic === '') throw new Error('Debian’s package restic could not be fetched')
  const harness = await createBackupHarness(restic)
  await mkdir(harness.home.drive, { recursive: true })
  await writeFile(join(harness.home.drive, 'note'), 'kept')
  const run = async (password?: string) => {
    const box = password === undefined ? {} : { box: await sealFor(harness.backups.publicKey, password) }
    const asked = { repository: harness.repository('main'), backupId, paths: ['/'], first: true, ...box }
    return RunResult.parse(await harness.ask('backup.run', asked))
  }
  /** restic itself on what is stored, with a password. */
  async function runRestic(password: string, ...args: string[]): Promise<'opened' | 'wrong password'> {
    const env = { PATH: process.env['PATH'], HOME: harness.folder, RESTIC_PASSWORD: password }
    const reached = ['-r', harness.stored('main'), '--no-cache', ...args]
    const ended = promisify(execFile)(restic, reached, { env })
    return await ended.then(
      () => 'opened',
      (error: { stderr: string }) => {
        if (error.stderr.includes('wrong password')) return 'wrong password'
        throw error
      },
    )
  }
  expect(await run(first)).toMatchObject({ outcome: 'done' })
  return {
    harness,
    run,
    opens: runRestic,
    keys: async () => (await filesIn(harness.stored('main'), 'keys')).map((file) => basename(file)),
    kept: async () =>
      (
        JSON.parse(await readFile(join(harness.home.folder, 'backup/passwords.json'), 'utf8')) as Record<string, string>
      )[backupId] ?? '',
    async change(password: string, oldKey: string, repository = harness.repository('main'), signal?: AbortSignal) {
      const box = await sealFor(harness.backups.publicKey, password)
      const asked = { repository, backupId, box, oldKey }
      return PasswordResult.parse(await harness.ask('backup.password', asked, signal && { signal }))
    },
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  }
}

/** Cut off before the vault has added a key, a change has done nothing. */
const cuts = [
  { method: 'POST', when: 'after' },
  { method: 'DELETE', when: 'before' },
  { method: 'DELETE', when: 'after' },
] as const

describe('a change', () => {
  test('another password takes the place of the one that is kept, in one form, and the old one opens nothing', async () => {
    await using changing = await openChange()
    const { run, keys, kept, change, opens } = changing
    const [old = ''] = await keys()
    expect(await change('tab\tin the middle', old)).toMatchObject({ failure: 'unfit_password' })
    expect(await keys()).toEqual([old])
    expect(await change(nfd, old)).toMatchObject({ outcome: 'done', left: 0 })
    const [made = '', ...more] = await keys()
    expect([made === old, more, await kept()]).toEqual([false, [], nfc])
    expect([await opens(first, 'snapshots'), await opens(nfc, 'snapshots')]).toEqual(['wrong password', 'opened'])
    expect(await run()).toMatchObject({ outcome: 'done' })
    // The same task again, as after a kill before it was reported.
    expect(await change(nfd, old)).toMatchObject({ outcome: 'done', left: 0 })
    expect(await keys()).toEqual([made])
  })
})

describe('a change that is cut off', () => {
  test.each(cuts)(
    '$when the vault has done the $method of a key leaves a password that opens the backup, and the task again ends it',
    async ({ method, when }) => {
      await using changing = await openChange()
      const { harness, run, keys, kept, change, opens } = changing
      const [old = ''] = await keys()
      const cut = new AbortController()
      const proxy = await startProxy(harness.origin, async (req: IncomingMessage) => {
        if (cut.signal.aborted) return 503
        if (req.method !== method || !req.url?.includes('/keys/')) return undefined
        if (when === 'after') {
          const body = method === 'POST' ? { body: new Uint8Array(await buffer(req)) } : {}
          expect((await fetch(harness.origin + req.url, { method, ...body })).status).toBe(200)
        }
        cut.abort(new Error('cut off'))
        return 503
      })
      try {
        await change(second, old, harness.repository('main', proxy.origin), cut.signal).catch(() => undefined)
      } finally {
        proxy.stop()
      }
      expect(cut.signal.aborted).toBe(true)
      // As the vault does when a right ends; restic's own server has none.
      for (const file of await filesIn(harness.stored('main'), 'locks')) await rm(file)
      const isRemoved = method === 'DELETE' && when === 'after'
      expect(await keys()).toHaveLength(isRemoved ? 1 : 2)
      expect(await kept()).toBe(method === 'DELETE' ? second : first)
      expect(await opens(await kept(), 'cat', 'config')).toBe('opened')

      const again = await change(second, old)
      expect(again, JSON.stringify(again)).toMatchObject({ outcome: 'done', left: 0 })
      expect([(await keys()).includes(old), await keys()]).toEqual([false, [expect.any(String)]])
      expect(await opens(first, 'cat', 'config')).toBe('wrong password')
      expect(await run()).toMatchObject({ outcome: 'done' })
    },
  )

  test('leaves a key that goes with the next change, one for each right', async () => {
    await using changing = await openChange()
    const { harness, keys, change, opens } = changing
    const [old = ''] = await keys()
    const added = join(harness.folder, 'added')
    await writeFile(added, second)
    expect(await opens(first, 'key', 'add', `--new-password-file=${added}`)).toBe('opened')
    const orphan = (await keys()).find((name) => name !== old) ?? ''
    expect(await change(third, old)).toMatchObject({ outcome: 'done', left: 1 })
    expect(await opens(second, 'cat', 'config')).toBe('opened')
    expect(await change(third, orphan)).toMatchObject({ outcome: 'done', left: 0 })
    const before = [await opens(first, 'cat', 'config'), await opens(second, 'cat', 'config')]
    expect([before, await opens(third, 'cat', 'config'), await keys()]).toEqual([
      ['wrong password', 'wrong password'],
      'opened',
      [expect.any(String)],
    ])
    // Its password has a key already: none is added, and the key in use is never removed, not even when asked to.
    const [last = ''] = await keys()
    expect(await change(third, last)).toMatchObject({ outcome: 'done', left: 0 })
    expect(await keys()).toEqual([last])
  })
})
