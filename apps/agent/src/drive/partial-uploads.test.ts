/** Uploads that are cut and go on, by tus, as the drive's page and any client of tus ask for them. */
import { once } from 'node:events'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { patienceMs } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ActiveAgent, password, startActiveAgent } from '../testing/active-agent.ts'
import { createTestFolder, type TestFolder } from '../testing/seeded-home.ts'
import { openTestDrive, outcome, put, read } from '../testing/test-drive.ts'
import { openPartialUploads, type PartialUploads } from './partial-uploads.ts'

const address = '/api/drive/uploads'
const tus = { 'tus-resumable': '1.0.0' }
let server: ActiveAgent
beforeAll(async () => {
  server = await startActiveAgent({ environment: { ATOLL_AGENT_DISK_MIB: '64' } })
}, patienceMs)
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})

const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251))

async function begin(path: string, length: number, headers: Record<string, string> = {}) {
  const metadata = `filename eA==,path ${Buffer.from(path).toString('base64')}`
  const answer = await server.ask(`POST ${address}`, {
    headers: { ...tus, 'upload-length': String(length), 'upload-metadata': metadata, ...headers },
  })
  return { status: answer.status, code: answer.json?.code, place: String(answer.headers.location) }
}

function send(place: string, offset: number, body: Buffer) {
  const type = 'application/offset+octet-stream'
  return server.ask(`PATCH ${place}`, {
    headers: { ...tus, 'upload-offset': String(offset), 'content-type': type },
    body,
  })
}

async function offsetOf(place: string): Promise<number> {
  const { headers } = await server.ask(`HEAD ${place}`, { headers: tus })
  return Number(headers['upload-offset'])
}

async function names(): Promise<string[]> {
  const { json } = await server.ask('GET /api/drive/list?path=/')
  return json.entries.map(({ name }: { name: string }) => name)
}

test('one that is cut in the middle goes on there, and is no file until it is whole', async () => {
  const { status, place } = await begin('/目 录.bin', content.length)
  expect(status).toBe(201)
  expect((await send(place, 0, content.subarray(0, 50_000))).headers['upload-offset']).toBe('50000')
  // The connection is cut while it sends.
  const signedIn = await server.ask('POST /api/session', { body: { name: 'reef', password }, asStranger: true })
  const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0]
  const socket = connect(server.agent.port, '127.0.0.1')
  await once(socket, 'connect')
  const head = [
    `PATCH ${place} HTTP/1.1`,
    'host: reef.atoll.test',
    `cookie: ${cookie}`,
    'tus-resumable: 1.0.0',
    'upload-offset: 50000',
    'content-type: application/offset+octet-stream',
    'content-length: 150000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(content.subarray(50_000, 120_000))
  const folder = join(server.home, 'partial')
  // Asked for its offset, the server would end that connection.
  const kept = join(folder, place.split('=')[1] ?? '')
  await vi.waitFor(async () => expect((await stat(kept)).size).toBe(120_000), patienceMs)
  socket.destroy()
  expect(await offsetOf(place)).toBe(120_000)
  expect(await names()).toEqual([])
  expect((await readdir(folder)).length).toBe(2)
  expect((await send(place, 50_000, content.subarray(50_000))).status).toBe(409)
  expect((await send(place, 120_000, content.subarray(120_000))).status).toBe(204)
  expect(await names()).toEqual(['目 录.bin'])
  expect((await server.ask(`GET /api/drive/file?path=${encodeURIComponent('/目 录.bin')}`)).body.equals(content)).toBe(
    true,
  )
  // Its last answer may be lost.
  expect(await offsetOf(place)).toBe(content.length)
  expect(await readdir(folder)).toEqual([])
  await server.ask(`DELETE /api/drive/entry?path=${encodeURIComponent('/目 录.bin')}`)
})

test('one of no bytes is in place at its beginning, since its client sends nothing more', async () => {
  const { status, place } = await begin('/empty.bin', 0)
  expect([status, await offsetOf(place), await names()]).toEqual([201, 0, ['empty.bin']])
  await server.ask('DELETE /api/drive/entry?path=/empty.bin')
})

test('the conditions of the request hold at its beginning and at its end', async () => {
  const none = { 'if-none-match': '*' }
  const first = await begin('/taken.bin', 4, none)
  await server.ask('PUT /api/drive/file?path=/taken.bin', { body: 'mine' })
  expect((await begin('/taken.bin', 4, none)).code).toBe('exists')
  const late = await send(first.place, 0, Buffer.from('late'))
  expect([late.status, late.json.code]).toEqual([412, 'exists'])
  expect((await server.ask('GET /api/drive/file?path=/taken.bin')).body.toString()).toBe('mine')
  // Told that all of it is there, a client would take it for done.
  expect(await offsetOf(first.place)).toBe(3)
  await server.ask('DELETE /api/drive/entry?path=/taken.bin')
  expect((await send(first.place, 3, Buffer.from('e'))).status).toBe(204)
  expect((await server.ask('GET /api/drive/file?path=/taken.bin')).body.toString()).toBe('late')
  expect((await begin('/none/a.bin', 4)).status).toBe(404)
  const ended = await begin('/ended.bin', 4)
  expect((await server.ask(`DELETE ${ended.place}`, { headers: tus })).status).toBe(204)
  expect((await server.ask(`HEAD ${ended.place}`, { headers: tus })).status).toBe(404)
  await server.ask('DELETE /api/drive/entry?path=/taken.bin')
})

test('its room is taken at its beginning, and more than it said is refused', async () => {
  expect((await begin('/huge.bin', 65 * 1024 * 1024)).code).toBe('diskFull')
  const free = async () => (await server.ask('GET /api/drive/list?path=/')).json.freeBytes
  const before = await free()
  const { place } = await begin('/large.bin', 1_000_000)
  expect(await free()).toBe(before - 1_000_000)
  expect((await begin('/more.bin', before - 500_000)).code).toBe('diskFull')
  await send(place, 0, content)
  expect(await free()).toBe(before - 1_000_000)
  await server.ask(`DELETE ${place}`, { headers: tus })
  expect(await free()).toBe(before)
  const small = await begin('/small.bin', 10)
  expect((await send(small.place, 0, content)).status).toBe(413)
  await server.ask(`DELETE ${small.place}`, { headers: tus })
})

test('a new one to its path takes the place of one that nobody sends any more', async () => {
  const free = async () => (await server.ask('GET /api/drive/list?path=/')).json.freeBytes
  const before = await free()
  const left = await begin('/again.bin', 1_000_000)
  await send(left.place, 0, content)
  const other = await begin('/other.bin', 1_000_000)
  const next = await begin('/again.bin', content.length)
  expect(await free()).toBe(before - 1_000_000 - content.length)
  const statuses = [left, other, next].map(async ({ place }) => (await server.ask(`HEAD ${place}`)).status)
  expect(await Promise.all(statuses)).toEqual([404, 204, 204])
  for (const { place } of [other, next]) await server.ask(`DELETE ${place}`, { headers: tus })
})

test('a new one to its path that does not fit leaves the one before, whose room it may have', async () => {
  const free = async () => (await server.ask('GET /api/drive/list?path=/')).json.freeBytes
  const before = await free()
  const left = await begin('/large.bin', before - 1_000_000)
  await send(left.place, 0, content)
  expect((await begin('/large.bin', before + 1)).code).toBe('diskFull')
  expect(await offsetOf(left.place)).toBe(content.length)
  const next = await begin('/large.bin', before - 500_000)
  expect([next.status, (await server.ask(`HEAD ${left.place}`)).status]).toEqual([201, 404])
  expect(await free()).toBe(500_000)
  await server.ask(`DELETE ${next.place}`, { headers: tus })
})

test.each([
  ['no version', { 'tus-resumable': '0.2.2' }, 412],
  ['no length', { 'upload-length': 'long' }, 400],
  ['no path', { 'upload-metadata': 'filename eA==' }, 400],
  ['a path that is no UTF-8', { 'upload-metadata': 'path /w==' }, 400],
])('a beginning with %s is refused', async (_, headers, status) => {
  expect((await begin('/a.bin', 1, headers)).status).toBe(status)
})

async function openHere(folder: TestFolder, now: () => number) {
  const drive = await openTestDrive(folder.path, 1_000_000)
  const uploads = await openPartialUploads(join(folder.path, 'partial'), drive, now)
  return { drive, uploads }
}

test('those that begin at once are no more than may be, and one to each path', async () => {
  await using folder = await createTestFolder()
  const { uploads } = await openHere(folder, () => 0)
  const begin = (path: string) => uploads.begin({ path, length: 1, conditions: {}, modifiedAt: null }, () => undefined)
  const same = await Promise.all([begin('/same'), begin('/same')])
  await expect(uploads.find(same[0].id)).rejects.toThrow('There is no such upload.')
  const begun = await Promise.allSettled(Array.from({ length: 202 }, (_, at) => begin(`/${at}`)))
  expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(199)
  uploads.stop()
})

test('of requests that come while one sends, only the last writes', async () => {
  await using folder = await createTestFolder()
  const { drive, uploads } = await openHere(folder, () => 0)
  const note = { path: '/a.bin', length: content.length, conditions: {}, modifiedAt: null }
  const { id } = await uploads.begin(note, () => undefined)
  const receive = (body: Readable) => uploads.receive(id, body, { offset: 0, checkFor: () => () => undefined })
  const stuck = outcomeOf(receive(new Readable({ read: () => undefined })))
  const waiting = outcomeOf(receive(Readable.from([content.subarray(0, 100_000), content.subarray(100_000)])))
  const last = outcomeOf(receive(Readable.from([content.subarray(0, 100_000), content.subarray(100_000)])))
  expect(await Promise.all([stuck, waiting, last])).toEqual(['ended', 'ended', 'written'])
  expect(await read(drive, '/a.bin')).toBe(content.toString())
  uploads.stop()
})

async function outcomeOf(work: ReturnType<PartialUploads['receive']>): Promise<string> {
  return await work.then(
    ({ written }) => (written ? 'written' : 'kept'),
    () => 'ended',
  )
}

test('it outlives a restart with its room, and ends a day after it was last gone on with', async () => {
  await using folder = await createTestFolder()
  let time = 0
  const day = 24 * 3600_000
  const old = await openHere(folder, () => time)
  const note = { path: '/a.bin', length: 600_000, conditions: {}, modifiedAt: 1000 }
  const { id } = await old.uploads.begin(note, () => undefined)
  const receive = (from: typeof old, offset: number, length: number) =>
    from.uploads.receive(id, Readable.from([Buffer.alloc(length, 'a')]), { offset, checkFor: () => () => undefined })
  await receive(old, 0, 1000)
  old.uploads.stop()
  time = day - 1
  let again = await openHere(folder, () => time)
  expect(await again.drive.space.freeBytes()).toBe(400_000)
  await receive(again, 1000, 1000)
  time = 2 * day - 2
  expect((await again.uploads.find(id)).offset).toBe(2000)
  const { written } = await receive(again, 2000, 598_000)
  expect(written?.entry).toMatchObject({ name: 'a.bin', size: 600_000, modifiedAt: new Date(1000).toISOString() })
  expect(await read(again.drive, '/a.bin')).toBe('a'.repeat(600_000))
  const whole = await again.uploads.begin({ ...note, path: '/whole.bin', length: 10 }, () => undefined)
  again.uploads.stop()
  // Killed before it was put in place.
  await writeFile(join(folder.path, 'partial', whole.id), 'a'.repeat(10))
  again = await openHere(folder, () => time)
  expect((await again.uploads.find(whole.id)).offset).toBe(9)
  await again.uploads.end(whole.id)
  const other = await again.uploads.begin({ ...note, length: 300_000 }, () => undefined)
  expect(await outcome(put(again.drive, '/b.bin', 'b'.repeat(200_000)))).toBe('diskFull')
  time += day
  expect(await outcome(again.uploads.find(other.id))).toBe('notFound')
  await again.uploads.begin({ ...note, path: '/c.bin', length: 1 }, () => undefined)
  expect(await outcome(put(again.drive, '/b.bin', 'b'.repeat(200_000)))).toBe('ok')
  again.uploads.stop()
})
