/** An owner sees, and puts back, the same files of a snapshot with every restic. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureResticOf } from '../../../../../scripts/programs/restic.ts'
import { bytesOfText, textOfBytes } from '../repository/byte-names.ts'
import { placeOf } from '../repository/find-entry.ts'
import { backupId, password, processesWith } from './backup-harness.ts'
import { type KeptHarness, openKeptHarness } from './kept-harness.ts'
import type { SupportedRestic } from './supported-restics.ts'

const many = 100_000
const large = randomBytes(24 * 1024 * 1024)
const strange = 'we[i]rd "*" 100%'
/** Names that are no UTF-8, some of which read alike; the last is a folder. */
const odd = ['\xff\xfe', '\xfe\xff', '-n \x80\\"\n', 'cut \xe6\xbd', '\xf4\x8f\xbe\x80', 'o[d]d\xe9'].map((name) =>
  Buffer.from(name, 'latin1'),
)
const oddFolder = odd.at(-1) ?? Buffer.alloc(0)
const inBytes = (...names: (string | Buffer)[]) => placeOf('', names).subarray(1)
const oddPath = (drive: string, ...names: Buffer[]) => placeOf(drive, ['Odd', ...names])

/** Files of every kind that a drive may hold. */
async function fill(drive: string): Promise<void> {
  for (const folder of ['Music', `Music/${strange}`, 'Empty', 'many']) await mkdir(join(drive, folder))
  await writeFile(join(drive, 'notes.txt'), 'Low tide at noon')
  await utimes(join(drive, 'notes.txt'), 1_600_000_000, 1_600_000_000)
  await writeFile(join(drive, 'empty'), '')
  await writeFile(join(drive, 'large.bin'), large)
  await writeFile(join(drive, `Music/${strange}/song 10.ogg`), 'ten')
  await writeFile(join(drive, `Music/${strange}/song 2.ogg`), 'two')
  await writeFile(join(drive, `Music/${strange}/潮.txt`), 'tide')
  await writeFile(join(drive, 'Music/new\nline'), 'a line')
  await mkdir(join(drive, 'Odd'))
  for (const name of odd.slice(0, -1)) await writeFile(oddPath(drive, name), name)
  await writeFile(join(drive, 'Odd/\ufffd\ufffd'), 'itself')
  await mkdir(oddPath(drive, oddFolder))
  await writeFile(oddPath(drive, oddFolder, oddFolder), 'any bytes')
  await symlink('/etc', join(drive, 'out'))
}

/** Restic, but that it has found `many` entries in one folder: to back them up takes longer than to test with them. */
async function writeProgram(folder: string, restic: string): Promise<string> {
  const line = (at: number) =>
    `{"name":"file ${at}","type":"file","path":"/many/file ${at}","size":${at},"mode":420,"mtime":"2026-11-23T03:00:00Z","struct_type":"node"}`
  const lines = Array.from({ length: many }, (_, at) => line(many - at))
  const listing = join(folder, 'many.txt')
  const root = '{"name":"many","type":"dir","path":"/many","mtime":"2026-11-23T03:00:00Z","struct_type":"node"}'
  await writeFile(listing, ['{"struct_type":"snapshot"}', root, ...lines, ''].join('\n'))
  const program = join(folder, 'restic-with-many')
  const script = `#!/bin/sh
case " $* " in
*" ls "*" /many ") exec cat '${listing}' ;;
esac
exec '${restic}' "$@"
`
  await writeFile(program, script, { mode: 0o755 })
  return program
}

export function describeBrowsing({ version, suite }: SupportedRestic): void {
  describe(`restic ${version}`, () => {
    let kept: KeptHarness
    beforeAll(async () => {
      const restic = (await ensureResticOf(suite)) ?? ''
      kept = await openKeptHarness(restic, fill, (harness) => writeProgram(harness.folder, restic))
    })
    afterAll(() => kept[Symbol.asyncDispose]())
    beforeEach(() => {
      kept.vault.answer = () => undefined
      kept.control.isAway = false
    })

    const at = (path: string, more: Record<string, string> = {}) =>
      new URLSearchParams({ backup: backupId, snapshot: kept.snapshotId, path, ...more })
    const list = (path: string, more = {}) => kept.server.ask(`GET /api/backups/list?${at(path, more)}`)
    const download = (path: string) => kept.server.ask(`GET /api/backups/file?${at(path)}`)
    const names = async (path: string, more = {}) =>
      (await list(path, more)).json.entries.map(({ name }: { name: string }) => name)
    /** Puts an entry back and waits for its end. */
    async function putBack(path: string, more: object = {}) {
      const order = { besideName: 'beside.txt', keptName: 'kept.txt', replace: false, ...more }
      const body = { backupId, snapshotId: kept.snapshotId, path, ...order }
      const begun = await kept.server.ask('POST /api/backups/put-back', { body })
      if (begun.status !== 202) return begun.json
      return await until('it is put back', async () => {
        const { json } = await kept.server.ask(`GET /api/backups/put-back?id=${begun.json.id}`)
        return json.state === 'running' ? undefined : json
      })
    }
    const inDrive = (path: string) => readFile(join(kept.drive, path), 'utf8')

    test('shows what is kept to the owner alone', async () => {
      const { status, json } = await kept.server.ask('GET /api/backups')
      expect(status).toBe(200)
      expect(json).toEqual({
        hasRestic: true,
        keyFingerprint: expect.stringMatching(/^([0-9a-f]{2}:){7}[0-9a-f]{2}$/),
        backups: [
          {
            backupId,
            name: 'Everything',
            isLocked: false,
            snapshots: kept.control.kept[0]?.snapshots,
            unread: { run: null, restore: null },
          },
        ],
      })
      for (const call of [
        'GET /api/backups',
        `GET /api/backups/list?${at('/')}`,
        `GET /api/backups/file?${at('/empty')}`,
      ])
        expect((await kept.server.ask(call, { asStranger: true })).status).toBe(401)
    })

    test('lists folders of a snapshot, of whatever name', async () => {
      expect(await names('/')).toEqual(['Empty', 'many', 'Music', 'Odd', 'empty', 'large.bin', 'notes.txt', 'out'])
      const { json } = await list('/')
      expect(json.entries.at(-2)).toEqual({
        name: 'notes.txt',
        kind: 'file',
        size: 16,
        modifiedAt: '2020-09-13T12:26:40.000Z',
      })
      expect(json.entries.at(-1)).toMatchObject({ name: 'out', kind: 'link', size: 0 })
      expect(await names('/Music')).toEqual([strange, 'new\nline'])
      expect(await names(`/Music/${strange}`)).toEqual(['song 2.ogg', 'song 10.ogg', '潮.txt'])
      expect((await list('/Empty')).json).toMatchObject({ entries: [], total: 0 })
    })

    test.each([
      ['/nowhere', 404, 'notFound'],
      ['/notes.txt', 404, 'notFound'],
      ['notes.txt', 400, 'badName'],
      ['/..', 400, 'badName'],
      ['/a//b', 400, 'badName'],
      ['/a\0b', 400, 'badName'],
    ])('refuses to list %j', async (path, status, code) => {
      const answer = await list(path)
      expect([answer.status, answer.json.code]).toEqual([status, code])
    })

    test('says of a snapshot that is gone that it is', async () => {
      const { status, json } = await list('/', { snapshot: '1'.repeat(64) })
      expect([status, json.code]).toEqual([404, 'backupGone'])
      expect((await list('/', { snapshot: '--help' })).json.code).toBe('badParameter')
    })

    test(`gives ${many} entries of one folder by the page, sorted, and finds among them`, async () => {
      const first = await list('/many')
      expect(first.json).toMatchObject({ offset: 0, found: many, total: many, truncated: false })
      expect(first.json.entries).toHaveLength(200)
      expect(first.json.entries.slice(0, 2).map(({ name }: { name: string }) => name)).toEqual(['file 1', 'file 2'])
      // The second time nothing is read again: nobody need be there.
      kept.vault.answer = () => 503
      kept.control.isAway = true
      expect(await names('/many', { offset: '99900' })).toHaveLength(100)
      const found = await list('/many', { filter: 'FILE 99999' })
      expect(found.json).toMatchObject({ found: 1, total: many, entries: [{ name: 'file 99999', size: 99_999 }] })
    })

    test('downloads files as they were, and folders as an archive', async () => {
      const notes = await download('/notes.txt')
      expect(notes.body.toString()).toBe('Low tide at noon')
      expect(notes.headers).toMatchObject({
        'content-length': '16',
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="notes.txt"; filename*=UTF-8''notes.txt`,
        'x-content-type-options': 'nosniff',
      })
      expect((await download('/empty')).body).toHaveLength(0)
      expect((await download('/large.bin')).body.equals(large)).toBe(true)
      const line = await download('/Music/new\nline')
      expect(line.body.toString()).toBe('a line')
      expect(line.headers['content-disposition']).toContain(`filename="new_line"; filename*=UTF-8''new%0Aline`)
      expect((await download(`/Music/${strange}/潮.txt`)).body.toString()).toBe('tide')
      const archive = await download(`/Music/${strange}`)
      expect(archive.headers['content-disposition']).toContain(`filename="we[i]rd _*_ 100_.zip"`)
      expect(archive.body.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
      expect(archive.body.includes('song 10.ogg')).toBe(true)
    })

    test('says what it cannot download', async () => {
      for (const [path, status, code] of [
        ['/nothing', 404, 'notFound'],
        ['/out', 409, 'notAFile'],
        ['/', 404, 'notFound'],
      ] as const) {
        const answer = await download(path)
        expect([path, answer.status, answer.json.code]).toEqual([path, status, code])
        expect(answer.headers['content-disposition']).toBeUndefined()
      }
    })

    test('ends restic when the visitor goes', async () => {
      await list('/')
      const { headers } = await kept.server.ask('POST /api/session', {
        body: { name: 'reef', password: 'a long enough secret' },
      })
      const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
      const running = async () =>
        (await processesWith(kept.snapshotId, 'cmdline')).filter((line) => line.includes('dump'))
      const path = `/api/backups/file?${at('/large.bin')}`
      const request = http.get({ host: '127.0.0.1', port: kept.server.agent.port, path, headers: { cookie } })
      request.on('error', () => undefined) // cut off by us
      const answer = await new Promise<http.IncomingMessage>((resolve) => request.once('response', resolve))
      await new Promise<void>((resolve) => answer.once('readable', () => resolve()))
      // Data that nobody reads is not sent: restic waits.
      expect(await running()).not.toEqual([])
      request.destroy()
      await until('restic is gone', async () => (await running()).length === 0)
      expect((await download('/empty')).status).toBe(200)
    })

    test('puts back what is gone, as it was', async () => {
      await rm(join(kept.drive, 'notes.txt'))
      expect(await putBack('/notes.txt')).toMatchObject({ state: 'done', placed: { path: '/notes.txt', kept: null } })
      expect(await inDrive('notes.txt')).toBe('Low tide at noon')
      expect((await stat(join(kept.drive, 'notes.txt'))).mtimeMs).toBe(1_600_000_000_000)
      await rm(join(kept.drive, 'Music'), { recursive: true })
      const song = `/Music/${strange}/song 2.ogg`
      expect(await putBack(song)).toMatchObject({ state: 'done', placed: { path: song, kept: null } })
      expect(await readdir(join(kept.drive, `Music/${strange}`))).toEqual(['song 2.ogg'])
    })

    test('never puts anything over what is there', async () => {
      await writeFile(join(kept.drive, 'notes.txt'), 'newer')
      expect((await putBack('/notes.txt')).placed).toEqual({ path: '/beside.txt', kept: null })
      expect((await putBack('/notes.txt')).placed).toEqual({ path: '/beside (2).txt', kept: null })
      expect(await inDrive('notes.txt')).toBe('newer')
      expect(await inDrive('beside (2).txt')).toBe('Low tide at noon')
      const replaced = await putBack('/notes.txt', { replace: true })
      expect(replaced.placed).toEqual({ path: '/notes.txt', kept: '/kept.txt' })
      expect([await inDrive('notes.txt'), await inDrive('kept.txt')]).toEqual(['Low tide at noon', 'newer'])
      await writeFile(join(kept.drive, `Music/${strange}/since`), 'since')
      const folder = await putBack(`/Music/${strange}`, { replace: true, keptName: 'strange before' })
      expect(folder.placed).toEqual({ path: `/Music/${strange}`, kept: '/Music/strange before' })
      expect((await readdir(join(kept.drive, `Music/${strange}`))).toSorted()).toEqual([
        'song 10.ogg',
        'song 2.ogg',
        '潮.txt',
      ])
      expect(await inDrive('Music/strange before/since')).toBe('since')
      expect(await readdir(kept.harness.home.uploads)).toEqual([])
    })

    test('lists, downloads and puts back what has a name of any bytes', async () => {
      const { json } = await list('/Odd')
      const listed: string[] = json.entries.map(({ name }: { name: string }) => name)
      expect(listed).toHaveLength(odd.length + 1)
      expect(listed.map(bytesOfText).toSorted(Buffer.compare)).toEqual(
        [...odd, Buffer.from('\ufffd\ufffd')].toSorted(Buffer.compare),
      )
      for (const name of odd.slice(0, -1)) {
        const path = `/Odd/${textOfBytes(name)}`
        const answer = await download(path)
        expect([path, answer.status, answer.body]).toEqual([path, 200, name])
      }
      for (const name of odd.slice(1, 3)) {
        const path = `/Odd/${textOfBytes(name)}`
        await rm(oddPath(kept.drive, name))
        expect(await putBack(path)).toMatchObject({ state: 'done', placed: { path, kept: null } })
        expect(await readFile(oddPath(kept.drive, name))).toEqual(name)
      }
      expect((await download('/Odd/\ufffd\ufffd')).body.toString()).toBe('itself')
      const folder = `/Odd/${textOfBytes(oddFolder)}`
      expect(await names(folder)).toEqual([textOfBytes(oddFolder)])
      const archive = await download(folder)
      expect(archive.headers['content-disposition']).toContain(`filename*=UTF-8''o%5Bd%5Dd%EF%BF%BD.zip`)
      expect(archive.body.includes(inBytes(oddFolder, oddFolder))).toBe(true)
      expect((await download(`${folder}/${textOfBytes(oddFolder)}`)).body.toString()).toBe('any bytes')

      // The entry of that name is not the one whose name only looks the same.
      const first = `/Odd/${listed.find((name) => bytesOfText(name).equals(odd[0] ?? oddFolder))}`
      expect((await putBack(first)).placed).toEqual({ path: '/Odd/beside.txt', kept: null })
      await rm(oddPath(kept.drive, oddFolder), { recursive: true })
      expect(await putBack(`${folder}/${textOfBytes(oddFolder)}`)).toMatchObject({ state: 'done' })
      expect(await readFile(oddPath(kept.drive, oddFolder, oddFolder), 'utf8')).toBe('any bytes')
      const replaced = await putBack(folder, { replace: true, keptName: 'odd before' })
      expect(replaced.placed).toEqual({ path: folder, kept: '/Odd/odd before' })
      expect(await readFile(oddPath(kept.drive, oddFolder, oddFolder), 'utf8')).toBe('any bytes')
      await rm(join(kept.drive, 'Music/new\nline'), { force: true })
      expect(await putBack('/Music/new\nline')).toMatchObject({ state: 'done' })
      expect(await inDrive('Music/new\nline')).toBe('a line')
    })

    test('says why something cannot be put back', async () => {
      await rename(join(kept.drive, 'Music'), join(kept.drive, 'Music before'))
      await writeFile(join(kept.drive, 'Music'), 'a file now')
      const song = `/Music/${strange}/song 2.ogg`
      expect(await putBack(song)).toMatchObject({ state: 'failed', problem: 'notAFolder', placed: null })
      await rm(join(kept.drive, 'Music'))
      await rename(join(kept.drive, 'Music before'), join(kept.drive, 'Music'))
      expect((await putBack('/out')).code).toBe('notAFile')
      expect((await putBack('/nothing')).code).toBe('notFound')
      expect((await putBack('/notes.txt', { besideName: '../up' })).code).toBe('badName')
      expect((await kept.server.ask('GET /api/backups/put-back?id=before')).status).toBe(404)
    })

    test('says who is away, and goes on when they are back', async () => {
      kept.vault.answer = () => 503
      expect((await list(`/Music/${strange}`, { snapshot: '2'.repeat(64) })).json.code).toBe('vaultAway')
      kept.vault.answer = () => undefined
      kept.control.isAway = true
      expect((await kept.server.ask('GET /api/backups')).json.code).toBe('consoleAway')
      kept.control.isAway = false
      expect((await kept.server.ask('GET /api/backups')).status).toBe(200)
    })

    test('asks for another right when the one it has was taken back', async () => {
      const { grants } = kept.control
      kept.vault.answer = () => (kept.control.grants === grants ? 401 : undefined)
      expect((await download('/notes.txt')).body.toString()).toBe('Low tide at noon')
      expect(kept.control.grants).toBe(grants + 1)
    })

    test('asks for a password that is not kept, and keeps the right one', async () => {
      const file = join(kept.harness.home.folder, 'backup/passwords.json')
      await rm(file)
      expect((await kept.server.ask('GET /api/backups')).json.backups[0].isLocked).toBe(true)
      expect((await download('/large.bin')).json.code).toBe('backupLocked')
      const unlock = (text: string) =>
        kept.server.ask('POST /api/backups/password', { body: { backupId, password: text } })
      expect((await unlock('another one')).json.code).toBe('wrongPassword')
      expect((await kept.server.ask('GET /api/backups')).json.backups[0].isLocked).toBe(true)
      expect((await unlock(password)).status).toBe(204)
      expect((await download('/notes.txt')).status).toBe(200)
    })

    test('takes no lock, and sends the control plane no name', () => {
      const changed = kept.asked.filter((line) => !/^(GET|HEAD) /.test(line))
      expect(changed).toEqual([])
      expect(kept.asked.length).toBeGreaterThan(10)
      expect(kept.control.bodies.join('\n')).not.toMatch(/notes|Music|song/)
    })
  })
}
