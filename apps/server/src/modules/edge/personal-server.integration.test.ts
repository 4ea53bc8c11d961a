/** A real agent behind a real edge: from hand-over to files. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScriptedWallet, createTestDatabase, type TestDatabase, until } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { type AgentProcess, startAgentProcess } from '../agents/testing/agent-process.ts'
import { type AgentsApp, startAgentsApp } from '../agents/testing/agents-app.ts'
import { addTraffic, createEdge, type Edge, sumTraffic } from './index.ts'
import { withoutLimits } from './testing/test-edge.ts'
import { askJson, createVisitor, type Visitor } from './testing/visitor.ts'

const host = 'reef.atoll.test'
const place = { instanceId: 'in_reef00000000', clusterId: 'cl_reef00000000', clusterHost: host }
const owner = createScriptedWallet()
const stranger = createScriptedWallet()
const password = 'a long enough secret'
let testDatabase: TestDatabase
let api: AgentsApp
let edge: Edge
let agent: AgentProcess
let folder: string
let visit: Visitor
let cookie = ''

/** Traffic is counted by the hour, and the hour may change in between. */
const begin = new Date()

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'atoll-edge-'))
  // The wallet posts to publicUrl; with the edge not known yet, the test posts for it.
  api = await startAgentsApp({ databaseUrl: testDatabase.url, ownerDid: owner.did, publicUrl: `http://${host}` })
  edge = createEdge({
    db: api.database.db,
    clock: systemClock,
    listener: api.listener,
    log: silentLog,
    config: { host: '127.0.0.1', product: 'Atoll', trustProxy: 0, ...withoutLimits },
    peerProofs: ['proof'],
    agents: {
      meetDial: (headers) => api.agents.meetDial(headers),
      listEnrolled: (ids) => api.agents.listEnrolled(api.database.db, ids),
    },
    addTraffic: (at, counted) => addTraffic(api.database.db, at, counted),
    async findRoute(asked) {
      if (asked !== host) return undefined
      const [row] = await api.agents.listAgents(api.database.db, [place.instanceId])
      return { ...place, host: '127.0.0.1', port: row?.port ?? 0, serving: row?.install.state === 'done' }
    },
  })
  visit = createVisitor(await edge.listen(0), host)
  const token = await api.database.db.transaction().execute(async (trx) => {
    const token = await api.agents.issueEnrollToken(trx, place)
    const steps = ['prepare', 'fetch', 'services', 'network', 'handover']
    await api.agents.requestInstall(trx, { instanceId: place.instanceId, taskId: 'op_1', version: '1.0.0', steps })
    return token
  })
  agent = startAgentProcess(folder, { ATOLL_AGENT_CONTROL_URL: api.origin, ATOLL_AGENT_ENROLL_TOKEN: token })
  await until('installed', async () => (await readAgent())?.install.state === 'done')
})
afterAll(async () => {
  await agent.kill('SIGKILL')
  await edge.close(100)
  await api.close()
  await testDatabase.drop()
  await rm(folder, { recursive: true })
})

async function readAgent() {
  return (await api.agents.listAgents(api.database.db, [place.instanceId]))[0]
}

test('is activated by its owner, and by nobody else', async () => {
  const oneTimePassword = (await readAgent())?.oneTimePassword ?? ''
  expect((await askJson(visit, 'GET', '/api/status')).json).toMatchObject({
    active: false,
    terminusName: 'reef@atoll.test',
    install: { state: 'done' },
  })
  const wrong = await askJson(visit, 'POST', '/api/activation/begin', { password: '0000-0000-0000' })
  expect([wrong.status, wrong.json.code]).toEqual([403, 'wrongPassword'])

  const typed = ` ${oneTimePassword.toLowerCase().replaceAll('-', ' ')}`
  const asked = Date.now()
  const begun = await askJson(visit, 'POST', '/api/activation/begin', { password: typed })
  expect(begun.status).toBe(200)
  const { ticket, signRequest, expiresAt } = begun.json
  expect(expiresAt - asked).toBeGreaterThan(110_000)
  const request = owner.read(signRequest)
  expect(request).toMatchObject({
    event: 'activate_os',
    message: { sign: { callback_url: `http://${host}/api/activation/approve` } },
  })

  const approve = async (body: object) => (await askJson(visit, 'POST', '/api/activation/approve', body)).json
  const early = await askJson(visit, 'POST', '/api/activation/finish', { ticket, newPassword: password })
  expect([early.status, early.json.code]).toEqual([409, 'notApproved'])
  expect((await approve(stranger.approval(request))).message).toContain('asks for another identity')
  expect((await approve({ ...stranger.approval(request), did: owner.did })).code).not.toBe(200)
  expect((await approve(owner.approval(request, 'scan', { secret: '0'.repeat(32) }))).message).toContain('expired')
  expect((await approve(owner.approval(request, 'scan', { time: request.message.data.time - 1 }))).code).not.toBe(200)
  expect((await approve(owner.approval(request, 'scan', { exp: 1 }))).message).toBe('The signature has expired.')
  expect((await approve({ did: owner.did, jws: 'nonsense' })).code).toBe(501)
  expect((await askJson(visit, 'GET', `/api/activation/state?ticket=${ticket}`)).json).toEqual({ approved: false })

  const waiting = askJson(visit, 'GET', `/api/activation/state?ticket=${ticket}&wait=1`)
  expect(await approve(owner.approval(request, 'linking'))).toEqual({ code: 200, message: 'OK', data: {} })
  expect((await waiting).json).toEqual({ approved: true })
  expect((await approve(owner.approval(request))).message).toContain('already used')

  const short = await askJson(visit, 'POST', '/api/activation/finish', { ticket, newPassword: 'short' })
  expect([short.status, short.json.code]).toEqual([400, 'badParameter'])
  const done = await askJson(visit, 'POST', '/api/activation/finish', { ticket, newPassword: password })
  expect([done.status, done.json.name]).toEqual([200, 'reef@atoll.test'])
  await until('reported', async () => (await readAgent())?.osActive)
  expect((await readAgent())?.oneTimePassword).toBeNull()
  const again = await askJson(visit, 'POST', '/api/activation/begin', { password: oneTimePassword })
  expect([again.status, again.json.code]).toEqual([409, 'alreadyActive'])
})

test('signs in with the name or its first part, and not with a wrong password', async () => {
  const wrong = await askJson(visit, 'POST', '/api/session', { name: 'reef', password: 'something else' })
  expect([wrong.status, wrong.json.code]).toEqual([403, 'wrongPassword'])
  const right = await askJson(visit, 'POST', '/api/session', { name: 'Reef', password })
  expect(right.status).toBe(200)
  const header = right.headers['set-cookie']?.[0] ?? ''
  expect(header).toMatch(/; HttpOnly; SameSite=Strict;/)
  cookie = header.split(';')[0] ?? ''
  expect((await askJson(visit, 'GET', '/api/session', undefined, cookie)).json.name).toBe('reef@atoll.test')
  expect((await askJson(visit, 'GET', '/api/drive/list?path=/')).status).toBe(401)
  expect((await askJson(visit, 'GET', '/api/drive/list?path=/', undefined, cookie)).json).toMatchObject({ entries: [] })
})

test('refuses what a page of another site sends with the cookie', async () => {
  for (const headers of [{ origin: 'http://evil.atoll.test' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }]) {
    const answer = await visit({
      method: 'POST',
      path: '/api/drive/folder',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ path: '/x' }),
    })
    expect(answer.status).toBe(403)
  }
})

test('takes a file of 20 MB and gives it back byte for byte, every byte counted', async () => {
  const file = randomBytes(20_000_000)
  const path = `/api/drive/file?path=${encodeURIComponent('/珊瑚 reef.bin')}`
  await until('earlier bytes written', async () => {
    const before = await sumTraffic(api.database.db, place.clusterId, begin)
    return before.in > 0
  })
  const up = await visit({ method: 'PUT', path, headers: { cookie }, body: file })
  expect([up.status, JSON.parse(up.body.toString())]).toEqual([
    201,
    expect.objectContaining({ name: '珊瑚 reef.bin', size: file.length }),
  ])
  const down = await visit({ path, headers: { cookie } })
  expect(down.body.equals(file)).toBe(true)
  expect(down.headers['content-disposition']).toContain(`filename*=UTF-8''%E7%8F%8A%E7%91%9A%20reef.bin`)
  const part = await visit({ path, headers: { cookie, range: 'bytes=19999990-' } })
  expect([part.status, part.headers['content-range']]).toEqual([206, 'bytes 19999990-19999999/20000000'])
  expect(part.body.equals(file.subarray(-10))).toBe(true)
  const same = await visit({ path, headers: { cookie, 'if-none-match': down.headers.etag ?? '' } })
  expect([same.status, same.body.length]).toEqual([304, 0])
  await until('counted', async () => {
    const sum = await sumTraffic(api.database.db, place.clusterId, begin)
    return sum.in >= file.length && sum.out >= file.length
  })
})

test('speaks WebDAV with a device that has an app password', async () => {
  const wanted = { name: 'Laptop', ownPassword: password }
  const { json } = await askJson(visit, 'POST', '/api/app-passwords', wanted, cookie)
  const authorization = `Basic ${Buffer.from(`reef:${json.password}`).toString('base64')}`
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    visit({ method, path, headers: { authorization, ...headers }, body })
  const lockInfo = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'
  const locked = await ask('LOCK', '/dav/new.txt', {}, lockInfo)
  const token = String(locked.headers['lock-token'])
  expect(locked.status).toBe(201)
  expect((await ask('PUT', '/dav/new.txt', {}, 'text')).status).toBe(423)
  expect((await ask('PUT', '/dav/new.txt', { if: `(${token})` }, 'text')).status).toBe(200)
  expect((await ask('UNLOCK', '/dav/new.txt', { 'lock-token': token })).status).toBe(204)
  const destination = `http://${host}/dav/moved.txt`
  expect((await ask('MOVE', '/dav/new.txt', { destination })).status).toBe(201)
  const listed = await ask('PROPFIND', '/dav/', { depth: '1' })
  expect([listed.status, String(listed.body).includes('<D:href>/dav/moved.txt</D:href>')]).toEqual([207, true])
  expect((await ask('DELETE', '/dav/moved.txt')).status).toBe(204)
})

test('is signed in still after its agent was killed, has its files, and goes on with an upload', async () => {
  const upload = randomBytes(2_000_000)
  const tus = { cookie, 'tus-resumable': '1.0.0' }
  const metadata = `path ${Buffer.from('/resumed.bin').toString('base64')}`
  const begun = await visit({
    method: 'POST',
    path: '/api/drive/uploads',
    headers: { ...tus, 'upload-length': String(upload.length), 'upload-metadata': metadata },
  })
  const path = String(begun.headers.location)
  const send = (offset: number, body: Buffer) => {
    const headers = { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
    return visit({ method: 'PATCH', path, headers, body })
  }
  expect((await send(0, upload.subarray(0, 1_500_000))).status).toBe(204)
  await agent.kill('SIGKILL')
  agent = startAgentProcess(folder, { ATOLL_AGENT_CONTROL_URL: api.origin })
  await agent.port()
  const list = await until('answers again', async () => {
    const answer = await askJson(visit, 'GET', '/api/drive/list?path=/', undefined, cookie)
    return answer.status === 200 ? answer.json : undefined
  })
  expect(list.entries.map((entry: { name: string }) => entry.name)).toEqual(['珊瑚 reef.bin'])
  expect((await visit({ method: 'HEAD', path, headers: tus })).headers['upload-offset']).toBe('1500000')
  expect((await send(1_500_000, upload.subarray(1_500_000))).status).toBe(204)
  const resumed = await visit({ path: '/api/drive/file?path=/resumed.bin', headers: { cookie } })
  expect(resumed.body.equals(upload)).toBe(true)
})
