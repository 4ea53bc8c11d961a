import { until } from '@atoll/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { changeChannel } from '../platform/events/index.ts'
import { createTestApp, knownAccount, knownCaller, type TestApp } from './app.fixture.ts'

let test: TestApp
let origin: string
let opened: AbortController[]

beforeEach(async () => {
  test = await createTestApp()
  origin = await test.app.listen({ port: 0, host: '127.0.0.1' })
  opened = []
})
afterEach(async () => {
  for (const stream of opened) stream.abort()
  await test.app.close()
})

async function open(headers: Record<string, string> = knownCaller, query = '') {
  const abort = new AbortController()
  opened.push(abort)
  const response = await fetch(`${origin}/v1/events${query}`, { headers, signal: abort.signal })
  const stream = { response, text: '', ended: false }
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) stream.text += chunk
  }
  // An abort by the test ends the reading with an error, which is an end as well.
  void read()
    .catch(() => undefined)
    .finally(() => {
      stream.ended = true
    })
  return stream
}

const say = (change: unknown) => test.listener.say(changeChannel, change)

it('greets, then publishes the account’s changes and nobody else’s', async () => {
  const stream = await open()
  await until('the greeting', () => stream.text.includes('"hello"'))
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
  expect(stream.response.headers.get('cache-control')).toBe('no-store')
  say({ seq: 101, account: 'did:key:other', topic: 'cluster', id: 'cl_theirs' })
  say({ seq: 102, account: knownAccount, topic: 'cluster', id: 'cl_mine' })
  await until('the change', () =>
    stream.text.includes('id: 102\nevent: change\ndata: {"topic":"cluster","id":"cl_mine"}\n\n'),
  )
  expect(stream.text).not.toContain('cl_theirs')
})

it('takes the cookie of a browser', async () => {
  const query = `?userid=${encodeURIComponent(knownCaller.userid)}`
  const stream = await open({ cookie: `theme=dark; syncToken=${knownCaller.token}` }, query)
  await until('the greeting', () => stream.text.includes('"hello"'))
})

it.each([
  ['nobody', {}],
  ['a wrong token', { ...knownCaller, token: 'wrong' }],
  ['a cookie that is no text', { cookie: 'syncToken=%E0%A4%A' }],
])('refuses %s with the code for signed out', async (_, headers) => {
  const stream = await open(headers)
  await until('the answer', () => stream.ended)
  expect(stream.response.status).toBe(200)
  expect(JSON.parse(stream.text)).toMatchObject({ code: 506 })
})

it('ends with its session, which it announces first', async () => {
  const stream = await open()
  await until('the greeting', () => stream.text.includes('"hello"'))
  say({ seq: 201, account: knownAccount, topic: 'session', id: 'ss_another' })
  await until('the news', () => stream.text.includes('ss_another'))
  expect(stream.ended).toBe(false)
  say({ seq: 202, account: knownAccount, topic: 'session', id: 'ss_1' })
  await until('the end', () => stream.ended)
  expect(stream.text).toContain('{"topic":"session","id":"ss_1"}')
})

it('takes changes that arrive after its end', async () => {
  const stream = await open()
  await until('the greeting', () => stream.text.includes('"hello"'))
  say({ seq: 203, account: knownAccount, topic: 'session', id: 'ss_1' })
  say({ seq: 204, account: knownAccount, topic: 'cluster', id: 'cl_late' })
  await until('the end', () => stream.ended)
  expect(stream.text).not.toContain('cl_late')
})

it('is not opened for a client that left while its session was looked up', async () => {
  const gate = Promise.withResolvers<void>()
  test.holdAuthentication(gate.promise)
  let closed = false
  test.app.server.on('request', (_, response) => {
    response.once('close', () => {
      closed = true
    })
  })
  const abort = new AbortController()
  const left = fetch(`${origin}/v1/events`, { headers: knownCaller, signal: abort.signal }).catch(() => 'left')
  await until('it is being looked up', () => test.authenticating() === 1)
  abort.abort()
  expect(await left).toBe('left')
  await until('the server noticed', () => closed)
  gate.resolve()
  await until('the look-up is over', () => test.authenticating() === 0)
  // The code after the look-up runs in the same turn of the event loop.
  await new Promise(setImmediate)
  expect(test.streamsOpened()).toBe(0)
})

it('sends a client that comes back what it missed, in order, and then what is new', async () => {
  const mine = { account: knownAccount, topic: 'cluster' as const }
  test.changes.missed = [
    { ...mine, seq: 98, id: 'cl_seen' },
    { ...mine, seq: 99, id: 'cl_first' },
    { ...mine, seq: 100, id: 'cl_second' },
  ]
  const stream = await open({ ...knownCaller, 'last-event-id': '98' })
  await until('what was missed', () => stream.text.includes('cl_second'))
  say({ ...mine, seq: 100, id: 'cl_told-already' })
  say({ ...mine, seq: 101, id: 'cl_new' })
  await until('what is new', () => stream.text.includes('cl_new'))
  const events = stream.text.match(/^(id|data): .*$/gm)
  expect(events).toEqual([
    'id: 98',
    'data: {"topic":"hello","id":"","resync":false}',
    'id: 99',
    'data: {"topic":"cluster","id":"cl_first"}',
    'id: 100',
    'data: {"topic":"cluster","id":"cl_second"}',
    'id: 101',
    'data: {"topic":"cluster","id":"cl_new"}',
  ])
})

it.each([
  ['was away too long', '3', true],
  ['names no number of ours', 'abc', false],
  ['comes for the first time', undefined, false],
])('asks a client that %s to fetch everything again', async (_, lastId, forgotten) => {
  test.changes.forgotten = forgotten
  const stream = await open({ ...knownCaller, ...(lastId && { 'last-event-id': lastId }) })
  await until('the greeting', () => stream.text.includes('data: {"topic":"hello","id":"","resync":true}'))
  expect(stream.text).toContain('id: 100\n')
})

it('sends what was missed after a gap in the feed', async () => {
  const stream = await open()
  await until('the greeting', () => stream.text.includes('"hello"'))
  test.changes.missed = [{ seq: 101, account: knownAccount, topic: 'cluster', id: 'cl_in_the_gap' }]
  test.listener.resync()
  await until('what was missed', () => stream.text.includes('cl_in_the_gap'))
  expect(stream.text.split('"hello"')).toHaveLength(2)
})

it('looks its session up again when what was missed is not known', async () => {
  const stream = await open()
  await until('the greeting', () => stream.text.includes('"hello"'))
  test.changes.forgotten = true
  test.listener.resync()
  await until('the second greeting', () => stream.text.split('"hello"').length === 3)
  expect(stream.ended).toBe(false)
  test.endSession()
  test.listener.resync()
  await until('the end', () => stream.ended)
})

it('ends when the account’s role changed, so that the next one receives what it may', async () => {
  const stream = await open()
  await until('the greeting', () => stream.text.includes('"hello"'))
  say({ seq: 101, account: 'did:key:other', topic: 'cluster', id: 'cl_theirs' })
  test.becomeAdmin()
  say({ seq: 102, account: knownAccount, topic: 'account', id: knownAccount })
  await until('the end', () => stream.ended)
  expect(stream.text).not.toContain('cl_theirs')
  const admin = await open()
  await until('the greeting', () => admin.text.includes('"hello"'))
  say({ seq: 103, account: 'did:key:other', topic: 'session', id: 'ss_theirs' })
  say({ seq: 104, account: 'did:key:other', topic: 'cluster', id: 'cl_theirs' })
  await until('the other account’s cluster', () => admin.text.includes('cl_theirs'))
  expect(admin.text).not.toContain('ss_theirs')
})

it('limits how many streams one account holds; ended ones do not count', async () => {
  const streams = await Promise.all(Array.from({ length: 50 }, () => open()))
  await until('all are greeted', () => streams.every((stream) => stream.text.includes('"hello"')))
  const refused = await open()
  await until('the answer', () => refused.ended)
  expect(JSON.parse(refused.text)).toMatchObject({ code: 429 })
  opened[0]?.abort()
  await until('there is room again', async () => {
    const next = await open()
    await until('an answer', () => next.text !== '')
    return next.text.includes('"hello"')
  })
})

it('closes every stream when the server stops', async () => {
  const stream = await open()
  await until('the greeting', () => stream.text.includes('"hello"'))
  await test.app.close()
  await until('the end', () => stream.ended)
})
