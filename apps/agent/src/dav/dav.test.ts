/** The drive over WebDAV, as programs of many makes ask for it. Each case has a folder of its own. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { patienceMs } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ActiveAgent, password, startActiveAgent, type Visit } from '../testing/active-agent.ts'

let server: ActiveAgent
let device: { id: string; password: string }
beforeAll(async () => {
  server = await startActiveAgent({ environment: { ATOLL_AGENT_DISK_MIB: '64' } })
  device = await makePassword('Laptop')
}, patienceMs)
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})

async function makePassword(name: string): Promise<typeof device> {
  return (await server.ask('POST /api/app-passwords', { body: { name, ownPassword: password } })).json
}

function basic(name: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` }
}

/** As the owner's laptop asks, which shows no cookie. */
function ask(call: string, { headers = {}, ...visit }: Visit = {}) {
  return server.ask(call, { ...visit, asStranger: true, headers: { ...basic('reef', device.password), ...headers } })
}

const statusOf = async (call: string, visit?: Visit) => (await ask(call, visit)).status
const hrefsOf = (body: Buffer) => [...String(body).matchAll(/<D:response><D:href>([^<]*)/g)].map(([, href]) => href)
const to = (path: string, more: Record<string, string> = {}) => ({
  headers: { destination: `http://reef.atoll.test/dav${path}`, ...more },
})
const lockBody = (scope: 'exclusive' | 'shared' = 'exclusive') =>
  `<?xml version="1.0"?><lockinfo xmlns="DAV:"><lockscope><${scope}/></lockscope><locktype><write/></locktype><owner><href>me &amp; you</href></owner></lockinfo>`

test('files and folders are made, listed, read, copied, moved and removed', async () => {
  expect(await statusOf('MKCOL /dav/walk')).toBe(201)
  expect(await statusOf('MKCOL /dav/walk/')).toBe(405)
  expect(await statusOf('MKCOL /dav/none/inner')).toBe(409)
  expect(await statusOf('MKCOL /dav/walk/body', { body: 'x' })).toBe(415)
  expect(await statusOf('PUT /dav/walk/%C3%BC%20%26%20%E7%9B%AE.txt', { body: 'one' })).toBe(201)
  expect(await statusOf('PUT /dav/walk/%C3%BC%20%26%20%E7%9B%AE.txt', { body: 'two' })).toBe(200)
  expect(await statusOf('PUT /dav/none/a.txt', { body: 'x' })).toBe(409)
  expect((await ask('GET /dav/walk/%C3%BC%20%26%20%E7%9B%AE.txt')).body.toString()).toBe('two')
  expect((await ask('GET /dav/walk/%C3%BC%20%26%20%E7%9B%AE.txt', { headers: { range: 'bytes=1-' } })).status).toBe(206)
  const listed = await ask('PROPFIND /dav/walk', { headers: { depth: '1' } })
  expect(listed.status).toBe(207)
  expect(hrefsOf(listed.body)).toEqual(['/dav/walk/', '/dav/walk/%C3%BC%20%26%20%E7%9B%AE.txt'])
  expect(String(listed.body)).toContain('<D:getcontentlength>3</D:getcontentlength>')
  expect(await statusOf('PROPFIND /dav/walk', { headers: { depth: 'infinity' } })).toBe(403)
  expect(await statusOf('PROPFIND /dav/none', { headers: { depth: '0' } })).toBe(404)

  const file = '/dav/walk/%C3%BC%20%26%20%E7%9B%AE.txt'
  expect(await statusOf(`COPY ${file}`, to('/walk/copy.txt'))).toBe(201)
  expect(await statusOf(`COPY ${file}`, to('/walk/copy.txt', { overwrite: 'F' }))).toBe(412)
  expect(await statusOf(`COPY ${file}`, to('/walk/copy.txt'))).toBe(204)
  expect(await statusOf(`COPY ${file}`, to('/none/copy.txt'))).toBe(409)
  for (const destination of ['http://sand.atoll.test/dav/a', 'file:///dav/a'])
    expect(await statusOf(`COPY ${file}`, { headers: { destination, host: 'reef.atoll.test:80' } })).toBe(502)
  expect(await statusOf('COPY /dav/walk', to('/walked'))).toBe(201)
  expect(await statusOf('COPY /dav/walk', to('/shallow', { depth: '0' }))).toBe(201)
  expect(hrefsOf((await ask('PROPFIND /dav/shallow', { headers: { depth: '1' } })).body)).toEqual(['/dav/shallow/'])
  expect(await statusOf('MOVE /dav/walk', to('/walk/inner'))).toBe(409)
  expect(await statusOf('MOVE /dav/walk', to('/walk'))).toBe(403)
  expect(await statusOf('MOVE /dav/walk', to('/walked'))).toBe(204)
  expect((await ask('GET /dav/walked/copy.txt')).body.toString()).toBe('two')
  expect(await statusOf('DELETE /dav/walked/copy.txt')).toBe(204)
  for (const name of ['walked', 'shallow']) expect(await statusOf(`DELETE /dav/${name}/`)).toBe(204)
  expect(await statusOf('DELETE /dav/walked')).toBe(404)
  expect(await statusOf('DELETE /dav/')).toBe(400)
  const { json } = await server.ask('GET /api/drive/list?path=/')
  expect(json.entries).toEqual([])
})

test('a folder is listed whole, also with names that no request can ask for', async () => {
  await ask('MKCOL /dav/odd')
  for (const name of ['a\\b', 'line\nline', 'plain']) await writeFile(join(server.home, 'drive/odd', name), '')
  const { status, body } = await ask('PROPFIND /dav/odd', { headers: { depth: '1' } })
  expect([status, hrefsOf(body).length]).toEqual([207, 4])
  expect(hrefsOf(body)).toContain('/dav/odd/a%5Cb')
  await ask('DELETE /dav/odd')
})

test('what is copied counts against the room, and what it replaces no longer', async () => {
  const used = async () => (await server.ask('GET /api/drive/list?path=/')).json.usedBytes
  const before = await used()
  for (const [name, size] of [
    ['a', 3000],
    ['b', 500],
  ] as const)
    await ask(`PUT /dav/${name}.bin`, { body: Buffer.alloc(size) })
  await ask('COPY /dav/a.bin', to('/b.bin'))
  expect(await used()).toBe(before + 6000)
  await ask('MOVE /dav/a.bin', to('/b.bin'))
  expect(await used()).toBe(before + 3000)
  await ask('DELETE /dav/b.bin')
  expect(await used()).toBe(before)
})

test('a lock keeps others out, in the browser too, until its holder shows its token or gives it up', async () => {
  await ask('PUT /dav/letter.txt', { body: 'one' })
  const made = await ask('LOCK /dav/letter.txt', { headers: { depth: '0', timeout: 'Second-600' }, body: lockBody() })
  expect(made.status).toBe(200)
  expect(String(made.body)).toContain('<href>me &amp; you</href>')
  const token = String(made.headers['lock-token'])
  expect(await statusOf('LOCK /dav/letter.txt', { body: lockBody('shared') })).toBe(423)
  for (const call of ['PUT /dav/letter.txt', 'DELETE /dav/letter.txt']) expect(await statusOf(call)).toBe(423)
  expect(await statusOf('MOVE /dav/letter.txt', to('/other.txt'))).toBe(423)
  const inBrowser = await server.ask('PUT /api/drive/file?path=/letter.txt', { body: 'two' })
  expect([inBrowser.status, inBrowser.json.code]).toEqual([423, 'locked'])
  expect((await server.ask('DELETE /api/drive/entry?path=/letter.txt')).status).toBe(423)
  const etag = (await ask('GET /dav/letter.txt')).headers.etag
  const holding = { headers: { if: `(${token} [${etag}])` } }
  expect(await statusOf('PUT /dav/letter.txt', { ...holding, body: 'two' })).toBe(200)
  expect(await statusOf('PUT /dav/letter.txt', { ...holding, body: 'three' })).toBe(412)
  expect(await statusOf('LOCK /dav/letter.txt', { headers: { if: `(${token})` } })).toBe(200)
  expect(await statusOf('UNLOCK /dav/letter.txt', { headers: { 'lock-token': '<urn:uuid:none>' } })).toBe(409)
  expect(await statusOf('UNLOCK /dav/letter.txt', { headers: { 'lock-token': token } })).toBe(204)
  expect(await statusOf('LOCK /dav/new.txt', { body: lockBody() })).toBe(201)
  expect(await statusOf('DELETE /dav/letter.txt')).toBe(204)
})

test('every method that changes something keeps the conditions of its request', async () => {
  await ask('PUT /dav/kept.txt', { body: 'one' })
  const stale = { 'if-match': '"of another content"' }
  const body =
    '<D:propertyupdate xmlns:D="DAV:" xmlns:m="urn:me"><D:set><D:prop><m:a/></D:prop></D:set></D:propertyupdate>'
  expect(await statusOf('PUT /dav/kept.txt', { headers: stale, body: 'two' })).toBe(412)
  expect(await statusOf('PROPPATCH /dav/kept.txt', { headers: stale, body })).toBe(412)
  expect(await statusOf('LOCK /dav/kept.txt', { headers: stale, body: lockBody() })).toBe(412)
  expect(await statusOf('LOCK /dav/kept.txt', { headers: { 'if-none-match': '*' }, body: lockBody() })).toBe(412)
  expect(await statusOf('MKCOL /dav/kept', { headers: stale })).toBe(412)
  for (const method of ['COPY', 'MOVE'])
    expect(await statusOf(`${method} /dav/kept.txt`, to('/moved.txt', stale))).toBe(412)
  expect(await statusOf('DELETE /dav/kept.txt', { headers: stale })).toBe(412)
  expect(await statusOf('DELETE /dav/kept.txt'), 'and nothing locked it').toBe(204)
})

test('a lock ends with the app password that it was taken with', async () => {
  const tablet = await makePassword('Tablet')
  const headers = basic('reef', tablet.password)
  expect(await statusOf('LOCK /dav/left.txt', { headers, body: lockBody() })).toBe(201)
  expect(await statusOf('DELETE /dav/left.txt')).toBe(423)
  await server.ask(`DELETE /api/app-passwords?id=${tablet.id}`)
  expect(await statusOf('DELETE /dav/left.txt')).toBe(204)
})

test('a lock that is refused makes no file, and a file that is refused no lock', async () => {
  await ask('MKCOL /dav/held')
  const token = String((await ask('LOCK /dav/held', { body: lockBody() })).headers['lock-token'])
  const holding = { if: `</dav/held> (${token})` }
  expect(await statusOf('LOCK /dav/held/a.txt', { headers: holding, body: lockBody() })).toBe(423)
  expect(await statusOf('PROPFIND /dav/held/a.txt', { headers: { depth: '0' } })).toBe(404)
  expect(await statusOf('LOCK /dav/none/a.txt', { body: lockBody() })).toBe(409)
  expect(await statusOf('MKCOL /dav/none')).toBe(201)
  expect(await statusOf('PUT /dav/none/a.txt', { body: 'x' })).toBe(201)
  expect(await statusOf('DELETE /dav/none')).toBe(204)
  expect(await statusOf('DELETE /dav/held', { headers: holding })).toBe(204)
})

test('properties are kept with the file wherever it goes, and no body that is no XML is taken', async () => {
  await ask('PUT /dav/chart.txt', { body: 'x' })
  const patch = (changes: string) =>
    ask('PROPPATCH /dav/chart.txt', {
      body: `<D:propertyupdate xmlns:D="DAV:" xmlns:m="urn:me">${changes}</D:propertyupdate>`,
    })
  expect(
    String((await patch('<D:set><D:prop><m:colour><m:deep a="1">b &lt; c</m:deep></m:colour></D:prop></D:set>')).body),
  ).toContain(' 200 OK')
  const refused = String((await patch('<D:remove><D:prop><m:colour/><D:getetag/></D:prop></D:remove>')).body)
  expect([refused.includes(' 403 '), refused.includes(' 424 ')]).toEqual([true, true])
  const long = (name: string) => `<D:set><D:prop><m:${name}>${'x'.repeat(3000)}</m:${name}></D:prop></D:set>`
  expect((await patch(['a', 'b', 'c'].map(long).join(''))).status).toBe(507)
  await server.ask('POST /api/drive/move', { body: { from: '/chart.txt', to: '/moved.txt' } })
  await ask('PUT /dav/moved.txt', { body: 'y' })
  const body = '<propfind xmlns="DAV:"><prop><colour xmlns="urn:me"/><none xmlns="urn:me"/><getetag/></prop></propfind>'
  const found = String((await ask('PROPFIND /dav/moved.txt', { headers: { depth: '0' }, body })).body)
  expect(found).toContain('<colour xmlns="urn:me"><deep a="1">b &lt; c</deep></colour>')
  expect(found).toContain('<none xmlns="urn:me"/></D:prop><D:status>HTTP/1.1 404 ')
  for (const wrong of ['<a', '<a></b>', '<a:b/>', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '<a/>', 'text'])
    expect(await statusOf('PROPFIND /dav/', { headers: { depth: '0' }, body: wrong })).toBe(400)
  for (const wrong of ['<a"b/>', '<a b="1" b="2"/>', '<a b&c="1"/>', '<a>&constructor;</a>', '<a>\u0001<\u0001/></a>'])
    expect((await patch(`<D:set><D:prop>${wrong}</D:prop></D:set>`)).status).toBe(400)
  await ask('DELETE /dav/moved.txt')
})

test('only an app password opens it: not the cookie, not the owner’s password, not one that was revoked', async () => {
  const visit = async (headers: Record<string, string>) =>
    (await server.ask('PROPFIND /dav/', { asStranger: true, headers: { depth: '0', ...headers } })).status
  const stranger = await server.ask('OPTIONS /dav/', { headers: { 'x-forwarded-for': '198.51.100.1' } })
  expect([stranger.status, stranger.headers['www-authenticate']]).toEqual([
    401,
    'Basic realm="WebDAV", charset="UTF-8"',
  ])
  expect((await ask('OPTIONS /dav/')).headers['dav']).toBe('1, 2')
  const phone = await makePassword('Phone')
  const far = { 'x-forwarded-for': '198.51.100.2' }
  expect(await visit({ ...basic('reef@atoll.test', phone.password), ...far })).toBe(207)
  expect(await visit({ ...basic('reef', phone.password.toUpperCase().replaceAll('-', ' ')), ...far })).toBe(207)
  const { json } = await server.ask('GET /api/app-passwords')
  expect(json.passwords[0]).toMatchObject({ name: 'Phone', network: '198.51.100.2' })
  expect(json.passwords[0].lastUsedAt).toBeGreaterThan(0)
  const kept = await readFile(join(server.home, 'app-passwords.json'), 'utf8')
  expect(kept).not.toContain(phone.password.slice(0, 5))
  await server.ask(`DELETE /api/app-passwords?id=${phone.id}`)
  expect(await visit({ ...basic('reef', phone.password), ...far })).toBe(401)
  expect(await visit({ ...basic('reef', password), ...far })).toBe(401)
  expect(await visit({ ...basic('sand', device.password), ...far })).toBe(401)
  for (let wrong = 3; wrong < 10; wrong += 1) expect(await visit({ ...basic('reef', 'wrong'), ...far })).toBe(401)
  expect(await visit({ ...basic('reef', 'wrong'), ...far })).toBe(429)
  expect(await visit({ ...basic('reef', device.password), ...far })).toBe(207)
  const { history } = (await server.ask('GET /api/sessions')).json
  expect(history).toContainEqual(expect.objectContaining({ outcome: 'signedIn', appPassword: 'Phone' }))
  expect(history).toContainEqual(expect.objectContaining({ outcome: 'wrongPassword', count: 10 }))
})

test('a session alone makes no app password: the owner’s password is asked for, and tries of it are bounded', async () => {
  const make = async (body: object) => {
    const headers = { 'x-forwarded-for': '198.51.100.3' }
    const { status, json } = await server.ask('POST /api/app-passwords', { body: { name: 'Stolen', ...body }, headers })
    return [status, json.code]
  }
  expect(await make({})).toEqual([400, 'badParameter'])
  for (let wrong = 0; wrong < 10; wrong += 1)
    expect(await make({ ownPassword: 'wrong' })).toEqual([403, 'wrongPassword'])
  expect(await make({ ownPassword: password })).toEqual([429, 'tooManyTries'])
  const { passwords } = (await server.ask('GET /api/app-passwords')).json
  expect(passwords.map(({ name }: { name: string }) => name)).not.toContain('Stolen')
})

test('a page of another site changes nothing with a password that the browser kept', async () => {
  const headers = { origin: 'http://sand.atoll.test', 'sec-fetch-site': 'same-site' }
  expect(await statusOf('PUT /dav/planted.txt', { headers, body: 'x' })).toBe(403)
})
