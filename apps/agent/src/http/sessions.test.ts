/** Where the owner is signed in, how that is ended, and who tried. */
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { OpenSession } from '@atoll/contract/personal-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHome } from '../kernel/home.ts'
import { createLog } from '../kernel/log.ts'
import { type ActiveAgent, password, startActiveAgent } from '../testing/active-agent.ts'
import { createTestFolder, stateWith } from '../testing/seeded-home.ts'
import { openSessions } from './sessions.ts'

let server: ActiveAgent
beforeAll(async () => {
  server = await startActiveAgent()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

/** Signs in as a browser at an address, as an edge says it; the cookie of the session. */
async function signIn(agent: string, address: string, typed = password, at = server) {
  const headers = { 'user-agent': agent, 'x-forwarded-for': address }
  const answer = await at.ask('POST /api/session', {
    body: { name: 'reef', password: typed },
    headers,
    asStranger: true,
  })
  return { status: answer.status, cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '' }
}

const list = async (cookie: string, at = server) => (await at.ask('GET /api/sessions', { headers: { cookie } })).json
const isIn = async (cookie: string) => (await server.ask('GET /api/observe', { headers: { cookie } })).status === 200
const browsers = (open: OpenSession[]) => open.map(({ place, current }) => [place?.device.browser, current])

test('each session names its browser and network, and can be ended; then its browser is signed out', async () => {
  const mine = await signIn(firefox, '192.0.2.7')
  const other = await signIn(phone, '2001:db8:1:2:3:4:5:6')
  const { open } = await list(mine.cookie)
  expect(browsers(open).slice(0, 2)).toEqual([
    ['Safari', false],
    ['Firefox', true],
  ])
  expect(open[0]).toMatchObject({
    place: { device: { kind: 'phone', system: 'iOS' }, network: '2001:db8:1:2::/64' },
    openedAt: expect.any(Number),
  })
  const end = () => server.ask(`DELETE /api/sessions?id=${open[0].id}`, { headers: { cookie: mine.cookie } })
  expect((await end()).status).toBe(204)
  expect([await isIn(other.cookie), await isIn(mine.cookie)]).toEqual([false, true])
  expect((await end()).status).toBe(204) // and once more changes nothing
  expect(browsers((await list(mine.cookie)).open)[0]).toEqual(['Firefox', true])
})

test('all others are ended at once, and the one that asks goes on', async () => {
  const cookies = [await signIn(firefox, '192.0.2.7'), await signIn(phone, '192.0.2.8')].map(({ cookie }) => cookie)
  const [mine = '', other = ''] = cookies
  expect((await server.ask('DELETE /api/sessions', { headers: { cookie: mine } })).status).toBe(204)
  expect([await isIn(mine), await isIn(other)]).toEqual([true, false])
  expect(browsers((await list(mine)).open)).toEqual([['Firefox', true]])
})

test.each(['GET', 'DELETE'])('%s is for the owner only', async (method) => {
  expect((await server.ask(`${method} /api/sessions`, { asStranger: true })).status).toBe(401)
})

test('wrong passwords stand in the history with their network, after a restart too', async () => {
  await using home = await createTestFolder()
  const first = await startActiveAgent({ in: home.path })
  for (const address of ['198.51.100.1', '198.51.100.1', '2001:db8:9::1'])
    expect((await signIn(firefox, address, 'wrong', first)).status).toBe(403)
  await first[Symbol.asyncDispose]()
  await using again = await startActiveAgent({ in: home.path })
  const { cookie } = await signIn(firefox, '192.0.2.7', password, again)
  const { history } = await list(cookie, again)
  const shown = history.map((entry: (typeof history)[number]) => [entry.outcome, entry.place.network, entry.count])
  expect([shown[0], shown.filter(([outcome]: string[]) => outcome === 'wrongPassword')]).toEqual([
    ['signedIn', '192.0.2.7', 1],
    [
      ['wrongPassword', '2001:db8:9::/64', 1],
      ['wrongPassword', '198.51.100.1', 2],
    ],
  ])
  expect(JSON.stringify(history)).not.toContain('Mozilla')
})

test('sessions that an older agent wrote stay signed in', async () => {
  await using home = await createTestFolder()
  const first = await startActiveAgent({ in: home.path })
  const { cookie } = await signIn(firefox, '192.0.2.7', password, first)
  await first[Symbol.asyncDispose]()
  const file = join(home.path, 'sessions.json')
  const kept = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(
    file,
    JSON.stringify(kept.map(({ hash, expiresAt }: { hash: string; expiresAt: number }) => ({ hash, expiresAt }))),
  )
  await using again = await startActiveAgent({ in: home.path })
  const mine = (await list(cookie, again)).open.find(({ current }: OpenSession) => current)
  expect(mine).toMatchObject({ place: null, openedAt: null })
})

const log = createLog({ write: () => undefined })
const storeWith = (passwordHash: string) => ({ current: stateWith({ account: { passwordHash, activatedAt: 0 } }) })
const place = { device: { kind: 'computer', browser: null, system: null }, network: null } as const

test('another password of the owner signs everyone out in the same moment, whatever the disk still holds', async () => {
  await using folder = await createTestFolder()
  const home = await openHome(folder.path)
  const store = storeWith('old')
  const sessions = await openSessions({ home, log, store })
  const open = async (ownerHash: string) => {
    const [cookie = ''] = (await sessions.open(true, place, ownerHash)).cookie.split(';')
    return { headers: { cookie } } as IncomingMessage // all that is read of it
  }
  const mine = await open('old')
  expect(sessions.find(mine)).toBeDefined()
  store.current = storeWith('new').current
  // As after a kill: nothing else was written.
  for (const opened of [sessions, await openSessions({ home, log, store })])
    expect([opened.find(mine), opened.list(mine)]).toEqual([undefined, []])
  // The owner's password was checked before it changed.
  expect(sessions.find(await open('old'))).toBeUndefined()
  expect(sessions.find(await open('new'))).toBeDefined()
})

test('a clock that runs ahead for a while ends no session for good; one that is long over goes', async () => {
  await using folder = await createTestFolder()
  const day = 24 * 3600_000
  let now = Date.parse('2027-03-01T10:00:00Z')
  const home = await openHome(folder.path)
  const sessions = await openSessions({ home, log, store: storeWith('hash'), now: () => now })
  const open = async () => {
    const [cookie = ''] = (await sessions.open(true, place, 'hash')).cookie.split(';')
    return { headers: { cookie } } as IncomingMessage // all that is read of it
  }
  const mine = await open()
  now += 13 * day
  expect(sessions.find(mine)).toBeUndefined()
  const ahead = await open()
  expect(sessions.list(ahead)).toHaveLength(1)
  now -= 13 * day
  expect(sessions.find(mine)).toBeDefined()
  now += 15 * day
  await open()
  now -= 15 * day
  expect(sessions.find(mine)).toBeUndefined()
})
