import { randomBytes } from 'node:crypto'
import { readdir, readFile, readlink, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ActiveAgent, password, startActiveAgent } from '../testing/active-agent.ts'

let server: ActiveAgent
beforeAll(async () => {
  server = await startActiveAgent({ environment: { ATOLL_AGENT_DISK_MIB: '64', ATOLL_AGENT_MEMORY_MIB: '2048' } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

test('its version is that of the release it runs, as the console names it, and it leads back there', async () => {
  expect((await server.ask('GET /api/status')).json).toMatchObject({
    version: '1.0.0',
    consoleUrl: 'https://console.atoll.test/cluster/cl_testtest',
  })
})

function filePath(path: string): string {
  return `/api/drive/file?path=${encodeURIComponent(path)}`
}

describe('a file', () => {
  const bytes = randomBytes(1000)
  beforeAll(async () => {
    expect((await server.ask(`PUT ${filePath('/a.bin')}`, { body: bytes })).status).toBe(201)
  })

  test.each([
    ['bytes=0-9', 206, 'bytes 0-9/1000', bytes.subarray(0, 10)],
    ['bytes=990-', 206, 'bytes 990-999/1000', bytes.subarray(990)],
    ['bytes=-1', 206, 'bytes 999-999/1000', bytes.subarray(999)],
    ['bytes=0-4000', 206, 'bytes 0-999/1000', bytes],
    ['bytes=1000-', 416, 'bytes */1000', Buffer.alloc(0)],
    ['bytes=0-1,5-6', 200, undefined, bytes],
  ])('asked for %s gives exactly that', async (range, status, contentRange, body) => {
    const answer = await server.ask(`GET ${filePath('/a.bin')}`, { headers: { range } })
    expect([answer.status, answer.headers['content-range']]).toEqual([status, contentRange])
    expect(answer.body.equals(body)).toBe(true)
  })

  test('gives the rest only while it is the file that the beginning came from', async () => {
    const { headers } = await server.ask(`HEAD ${filePath('/a.bin')}`)
    expect(headers['content-length']).toBe('1000')
    const resume = { range: 'bytes=500-', 'if-range': headers.etag ?? '' }
    expect((await server.ask(`GET ${filePath('/a.bin')}`, { headers: resume })).status).toBe(206)
    await server.ask(`PUT ${filePath('/a.bin')}`, { body: bytes })
    expect((await server.ask(`GET ${filePath('/a.bin')}`, { headers: resume })).status).toBe(200)
  })

  test('is replaced, moved and deleted only while it is the one that is meant', async () => {
    const path = filePath('/meant.txt')
    const made = await server.ask(`PUT ${path}`, { body: 'one', headers: { 'if-none-match': '*' } })
    const { etag = '' } = made.headers
    expect((await server.ask(`HEAD ${path}`)).headers).toMatchObject({ etag, 'last-modified': expect.any(String) })
    expect((await server.ask(`PUT ${path}`, { body: 'two', headers: { 'if-match': etag } })).status).toBe(200)
    // Of two programs that read the same content, the second does not write over the first.
    const stale = { 'if-match': etag }
    const late = await server.ask(`PUT ${path}`, { body: 'three', headers: stale })
    expect([late.status, late.json.code]).toEqual([412, 'changed'])
    expect((await server.ask(`DELETE ${path.replace('file', 'entry')}`, { headers: stale })).status).toBe(412)
    const move = { from: '/meant.txt', to: '/moved.txt' }
    const headers = { ...stale, 'content-type': 'application/json' }
    expect((await server.ask('POST /api/drive/move', { body: JSON.stringify(move), headers })).status).toBe(412)
    expect((await server.ask(`GET ${path}`, { headers: stale })).status).toBe(412)
    expect((await server.ask(`GET ${path}`)).body.toString()).toBe('two')
    const nowhere = { 'if-match': '*' }
    expect((await server.ask(`PUT ${filePath('/nowhere')}`, { body: 'x', headers: nowhere })).status).toBe(412)
  })

  test('checks the condition again when the file is put in place, so the slower of two writers is refused', async () => {
    const path = filePath('/raced.txt')
    const { etag = '' } = (await server.ask(`PUT ${path}`, { body: 'zero' })).headers
    const tries = ['a', 'b', 'c', 'd'].map((body) => server.ask(`PUT ${path}`, { body, headers: { 'if-match': etag } }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 412, 412, 412])
  })

  test('of a part is no file', async () => {
    const headers = { 'content-range': 'bytes 0-2/6' }
    const answer = await server.ask(`PUT ${filePath('/part')}`, { body: 'abc', headers })
    expect([answer.status, answer.json.message]).toEqual([400, 'content-range: send the file as a whole'])
    expect((await server.ask(`GET ${filePath('/part')}`)).status).toBe(404)
  })

  test('keeps the time that its writer says, and has another tag with the same time and length', async () => {
    const path = filePath('/dated.txt')
    const headers = { 'x-oc-mtime': '1405659156' }
    const first = await server.ask(`PUT ${path}`, { body: 'one', headers })
    expect(first.json.modifiedAt).toBe('2014-07-18T04:52:36.000Z')
    expect(first.headers).toMatchObject({
      'x-oc-mtime': 'accepted',
      'last-modified': 'Fri, 18 Jul 2014 04:52:36 GMT',
    })
    const tags = new Set([first.headers.etag])
    for (let count = 0; count < 20; count += 1)
      tags.add((await server.ask(`PUT ${path}`, { body: 'two', headers })).headers.etag)
    expect(tags.size).toBe(21)
    const since = { 'if-modified-since': 'Fri, 18 Jul 2014 04:52:36 GMT' }
    expect((await server.ask(`GET ${path}`, { headers: since })).status).toBe(304)
    const resume = { range: 'bytes=1-', 'if-range': 'Fri, 18 Jul 2014 04:52:36 GMT' }
    expect((await server.ask(`GET ${path}`, { headers: resume })).status).toBe(200)
    expect((await server.ask(`PUT ${path}`, { body: 'x', headers: { 'x-oc-mtime': 'soon' } })).status).toBe(400)
  })

  test('is not sent again to who has it', async () => {
    const { headers } = await server.ask(`GET ${filePath('/a.bin')}`)
    const again = await server.ask(`GET ${filePath('/a.bin')}`, {
      headers: { 'if-none-match': `W/"x", ${headers.etag}` },
    })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })

  test('of no bytes is a file too', async () => {
    await server.ask(`PUT ${filePath('/empty')}`, { body: '' })
    const answer = await server.ask(`GET ${filePath('/empty')}`)
    expect([answer.status, answer.headers['content-length']]).toEqual([200, '0'])
  })

  test('never runs in this origin, whatever its name', async () => {
    await server.ask(`PUT ${filePath('/page.html')}`, { body: '<script>steal()</script>' })
    for (const suffix of ['', '&inline=1']) {
      const { headers } = await server.ask(`GET ${filePath('/page.html')}${suffix}`)
      expect(headers['content-type']).toBe('application/octet-stream')
      expect(headers['content-disposition']).toMatch(/^attachment; /)
      expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    await server.ask(`PUT ${filePath('/picture.png')}`, { body: 'x' })
    const picture = await server.ask(`GET ${filePath('/picture.png')}&inline=1`)
    expect([picture.headers['content-type'], picture.headers['content-disposition']?.slice(0, 6)]).toEqual([
      'image/png',
      'inline',
    ])
  })

  test('is shown as a PDF only by that name, and only in our own pages', async () => {
    await server.ask(`PUT ${filePath('/chart.PDF')}`, { body: '<script>steal()</script>' })
    const { headers } = await server.ask(`GET ${filePath('/chart.PDF')}&inline=1`)
    expect([headers['content-type'], headers['x-content-type-options']]).toEqual(['application/pdf', 'nosniff'])
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*; frame-ancestors 'self'$/)
    const download = await server.ask(`GET ${filePath('/chart.PDF')}`)
    expect(download.headers['content-security-policy']).toMatch(/^sandbox; .*; frame-ancestors 'none'$/)
  })

  test('may have any name, and a header keeps it in its place', async () => {
    const name = 'a"b;c\'(*)%é珊.txt'
    expect((await server.ask(`PUT ${filePath(`/${name}`)}`, { body: 'x' })).json.name).toBe(name)
    const { headers } = await server.ask(`GET ${filePath(`/${name}`)}`)
    expect(headers['content-disposition']).toBe(
      `attachment; filename="a_b;c'(*)___.txt"; filename*=UTF-8''a%22b%3Bc%27%28%2A%29%25%C3%A9%E7%8F%8A.txt`,
    )
  })

  test('that cannot fit is refused with the answer reaching who still sends', async () => {
    const answer = await server.ask(`PUT ${filePath('/big')}`, { body: Buffer.alloc(70 * 1024 * 1024) })
    expect([answer.status, answer.json.code]).toEqual([507, 'diskFull'])
    const chunked = { 'transfer-encoding': 'chunked' }
    const unsaid = await server.ask(`PUT ${filePath('/big')}`, {
      body: Buffer.alloc(70 * 1024 * 1024),
      headers: chunked,
    })
    expect([unsaid.status, unsaid.json.code]).toEqual([507, 'diskFull'])
    expect(await readdir(join(server.home, 'uploads'))).toEqual([])
  })

  test('whose download breaks off is not kept open', async () => {
    await server.ask(`PUT ${filePath('/long')}`, { body: Buffer.alloc(20 * 1024 * 1024) })
    const cookie = await signIn()
    const openFiles = async () => {
      const links = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      )
      return links.filter((path) => path.endsWith('/long')).length
    }
    const sockets = Array.from({ length: 20 }, () => connect(server.agent.port, '127.0.0.1'))
    for (const socket of sockets)
      socket.write(`GET ${filePath('/long')} HTTP/1.1\r\nHost: reef.atoll.test\r\nCookie: ${cookie}\r\n\r\n`)
    await until('downloads begun', async () => (await openFiles()) === 20)
    for (const socket of sockets) socket.destroy()
    await until('closed', async () => (await openFiles()) === 0)
    await server.ask('DELETE /api/drive/entry?path=/long')
  })

  test('whose upload breaks off leaves nothing', async () => {
    const cookie = await signIn()
    const socket = connect(server.agent.port, '127.0.0.1')
    socket.write(
      `PUT ${filePath('/half')} HTTP/1.1\r\nHost: reef.atoll.test\r\nCookie: ${cookie}\r\nContent-Length: 1000\r\n\r\nhalf`,
    )
    await until('the upload', async () => (await readdir(join(server.home, 'uploads'))).length === 1)
    socket.destroy()
    await until('the upload', async () => (await readdir(join(server.home, 'uploads'))).length === 0)
    expect((await server.ask(`GET ${filePath('/half')}`)).status).toBe(404)
  })
})

describe('a search', () => {
  const ask = (path: string, query: string) =>
    server.ask(`GET /api/drive/search?path=${encodeURIComponent(path)}&query=${encodeURIComponent(query)}`)

  test('finds files and folders below the folder by their names, and nothing through a link', async () => {
    for (const path of ['/Trips', '/Trips/2026', '/Trips/2026/Reef'])
      await server.ask('POST /api/drive/folder', { body: { path } })
    await server.ask(`PUT ${filePath('/Trips/2026/reef map.txt')}`, { body: 'x' })
    await symlink('/etc', join(server.home, 'drive/Trips/etc'))
    const { status, json } = await ask('/Trips', ' REEF ')
    expect(status).toBe(200)
    expect({ ...json, entries: json.entries.map((entry: { path: string }) => entry.path).toSorted() }).toEqual({
      path: '/Trips',
      entries: ['/Trips/2026/Reef', '/Trips/2026/reef map.txt'],
      offset: 0,
      more: false,
      truncated: false,
    })
    expect((await ask('/', 'map reef')).json.entries).toMatchObject([{ name: 'reef map.txt', kind: 'file', size: 1 }])
    expect((await ask('/', 'passwd')).json.entries).toEqual([])
    expect((await ask('/Trips/etc', 'passwd')).json.code).toBe('notFound')
    await server.ask('DELETE /api/drive/entry?path=/Trips')
  })

  test.each([
    ['/..', 'x', 400, 'badName'],
    ['etc', 'x', 400, 'badName'],
    ['/nowhere', 'x', 404, 'notFound'],
    ['/a.bin', 'x', 409, 'notAFolder'],
    ['/', ' ', 400, 'badParameter'],
    ['/', 'x'.repeat(257), 400, 'badParameter'],
  ])('of %s for %j is refused', async (path, query, status, code) => {
    const answer = await ask(path, query)
    expect([answer.status, answer.json.code]).toEqual([status, code])
  })

  test('is for the owner only', async () => {
    expect((await server.ask('GET /api/drive/search?path=/&query=x', { asStranger: true })).status).toBe(401)
  })
})

describe('folders', () => {
  test('are made, listed, moved and removed', async () => {
    expect((await server.ask('POST /api/drive/folder', { body: { path: '/Photos' } })).status).toBe(201)
    expect((await server.ask('POST /api/drive/folder', { body: { path: '/Photos' } })).json.code).toBe('exists')
    await server.ask(`PUT ${filePath('/Photos/a')}`, { body: 'x' })
    expect((await server.ask('POST /api/drive/move', { body: { from: '/Photos', to: '/Photos/in' } })).json.code).toBe(
      'intoItself',
    )
    expect((await server.ask('POST /api/drive/move', { body: { from: '/Photos', to: '/Bilder' } })).json).toMatchObject(
      { name: 'Bilder', kind: 'folder' },
    )
    const list = await server.ask('GET /api/drive/list?path=/Bilder')
    expect(list.json).toMatchObject({
      path: '/Bilder',
      entries: [{ name: 'a', kind: 'file', size: 1 }],
      offset: 0,
      total: 1,
    })
    expect((await server.ask('DELETE /api/drive/entry?path=/Bilder')).status).toBe(204)
    expect((await server.ask('GET /api/drive/list?path=/Bilder')).json.code).toBe('notFound')
  })

  test.each(['offset=-1', 'offset=1.5', 'offset=x', 'by=colour'])('are not listed by %s', async (page) => {
    const answer = await server.ask(`GET /api/drive/list?path=/&${page}`)
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining(page.split('=')[0] ?? '')])
  })

  test.each(['/../x', '/a/../../x', '/..', 'x', '/a//b', '/%2e%2e/x', '/a\0b', '/a\\b'])(
    'cannot be reached as %j',
    async (path) => {
      const answer = await server.ask(`GET /api/drive/list?path=${encodeURIComponent(path)}`)
      expect(['badName', 'notFound']).toContain(answer.json.code)
    },
  )
})

describe('a visitor who is not signed in', () => {
  test.each([
    'GET /api/drive/list?path=/',
    'PUT /api/drive/file?path=/x',
    'POST /api/drive/folder',
    'DELETE /api/drive/entry?path=/x',
    'GET /api/observe',
  ])('gets nothing of %s', async (call) => {
    for (const cookie of ['', 'session=', `session=${'x'.repeat(43)}`]) {
      const answer = await server.ask(call, { asStranger: true, headers: { cookie } })
      expect([answer.status, answer.json.code]).toEqual([401, 'signedOut'])
    }
  })

  test('may try a password ten times, and the owner elsewhere is not locked out by that', async () => {
    const guess = (from: string) =>
      server.ask('POST /api/session', {
        body: { name: 'reef', password: 'guess' },
        headers: { 'x-forwarded-for': from },
      })
    for (let at = 0; at < 10; at++) expect((await guess('6.6.6.6')).status).toBe(403)
    const refused = await guess('1.1.1.1, 6.6.6.6')
    expect([refused.status, refused.json.code]).toEqual([429, 'tooManyTries'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    const owner = await server.ask('POST /api/session', {
      body: { name: 'reef@atoll.test', password },
      headers: { 'x-forwarded-for': '7.7.7.7' },
    })
    expect(owner.status).toBe(200)
  })
})

test('a browser in which the owner signed in before is not kept out by what others try', async () => {
  const ask = (headers: Record<string, string>, typed: string) =>
    server.ask('POST /api/session', {
      asStranger: true,
      body: { name: 'reef', password: typed },
      headers: { 'x-forwarded-for': '8.8.8.8', ...headers },
    })
  const known = (await ask({}, password)).headers['set-cookie']?.[1]?.split(';')[0] ?? ''
  expect(known).toMatch(/^known=[\w-]{22}\.[\w-]{43}$/)
  await Promise.all(Array.from({ length: 10 }, () => ask({}, 'guess')))
  expect((await ask({}, password)).status).toBe(429)
  const forged = known.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  expect((await ask({ cookie: forged }, password)).status).toBe(429)
  expect((await ask({ cookie: known }, 'guess')).status).toBe(403)
  expect((await ask({ cookie: known }, password)).status).toBe(200)
})

describe('a session', () => {
  test('ends when it is closed, and its token is nowhere on the disk', async () => {
    const cookie = await signIn()
    const stored = await readFile(join(server.home, 'sessions.json'), 'utf8')
    expect(stored).not.toContain(cookie.split('=')[1])
    expect((await server.ask('GET /api/session', { headers: { cookie } })).json.name).toBe('reef@atoll.test')
    expect((await server.ask('DELETE /api/session', { headers: { cookie } })).status).toBe(204)
    expect((await server.ask('GET /api/session', { headers: { cookie } })).json.name).toBeNull()
  })

  test('is not overruled by a cookie that a neighbouring host set', async () => {
    const cookie = await signIn()
    const both = `session=${'y'.repeat(43)}; ${cookie}`
    expect((await server.ask('GET /api/drive/list?path=/', { headers: { cookie: both } })).status).toBe(200)
  })
})

describe('a request', () => {
  test.each([
    ['no JSON', { body: '{', headers: { 'content-type': 'application/json' } }, 'badParameter'],
    ['a form', { body: 'name=reef', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 'badParameter'],
    ['a field too many', { body: { name: 'reef', password: 'x', admin: true } }, 'badParameter'],
    ['too much', { body: { name: 'x'.repeat(70_000), password: 'x' } }, 'tooLarge'],
  ])('with %s is refused in words', async (_, visit, code) => {
    expect((await server.ask('POST /api/session', visit)).json.code).toBe(code)
  })

  test.each([
    ['a field left out', { name: 'reef' }, 'password: is missing.'],
    ['a field of another kind', { name: 'reef', password: 1 }, 'password: must be text'],
    ['a field that is not known', { name: 'reef', password: 'x', admin: 1 }, 'admin: this call has no such field.'],
    ['a null character', { name: 'reef\0', password: 'x' }, /^name: must not contain a null character/],
    ['no fields', [], 'body: must have fields'],
  ])('with %s names the field in words for people', async (_, body, message) => {
    const { status, json } = await server.ask('POST /api/session', { body })
    expect([status, json]).toEqual([400, { code: 'badParameter', message: expect.stringMatching(message) }])
  })

  test.each(['GET /api/nothing', 'GET /api/constructor', 'GET /missing.js', 'GET /..%2f..%2fpackage.json', 'GET /%'])(
    '%s leads nowhere',
    async (call) => {
      expect((await server.ask(call)).status).toBe(404)
    },
  )

  test('for a page gets the app, or a plain page that says it was not built', async () => {
    const answer = await server.ask('GET /sign-in', { asStranger: true })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'; style-src 'self' 'nonce-")
    const again = await server.ask('GET /sign-in', { asStranger: true })
    expect(again.headers['content-security-policy']).not.toBe(answer.headers['content-security-policy'])
  })
})

test('what the instance uses is measured against its share', async () => {
  const { json } = await server.ask('GET /api/observe')
  expect(json).toMatchObject({
    connected: false,
    metrics: { memoryTotal: 2048 * 1024 * 1024, diskTotal: 64 * 1024 * 1024 },
  })
  expect(json.metrics.diskUsed).toBeGreaterThan(0)
  expect(json.metrics.netIn).toBeGreaterThan(1024 * 1024)
})

async function signIn(): Promise<string> {
  const answer = await server.ask('POST /api/session', {
    asStranger: true,
    body: { name: 'reef', password },
    headers: { 'x-forwarded-for': '9.9.9.9' },
  })
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

test.each(['/caf%E9.txt', '/a%FF', '/%C3'])('a file name that is not UTF-8 (%s) is refused', async (path) => {
  for (const [call, body] of [
    ['PUT', 'x'],
    ['GET', undefined],
  ] as const) {
    const answer = await server.ask(`${call} /api/drive/file?path=${path}`, { ...(body && { body }) })
    expect([answer.status, answer.json]).toEqual([400, { code: 'badParameter', message: 'path: is not valid UTF-8' }])
  }
  expect((await server.ask(`PUT ${filePath('/\uFFFD 100%')}`, { body: 'x' })).status).toBe(201)
  await server.ask(`DELETE /api/drive/entry?path=${encodeURIComponent('/\uFFFD 100%')}`)
})

test('a name in a body that is not UTF-8 is refused', async () => {
  const body = Buffer.from('{"path":"/caf\xe9"}', 'latin1')
  const answer = await server.ask('POST /api/drive/folder', { body, headers: { 'content-type': 'application/json' } })
  expect([answer.status, answer.json.message]).toEqual([400, 'body: is not text in UTF-8'])
})
