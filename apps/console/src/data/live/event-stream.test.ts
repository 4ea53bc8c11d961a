import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleAccount } from '../../testing/accounts.ts'
import { startConsole, stubBrowser } from '../../testing/browser.ts'
import { readEventStream, StreamSignedOut } from './event-stream.ts'

beforeEach(async () => {
  stubBrowser()
  await startConsole()
})
afterEach(() => vi.unstubAllGlobals())

function answerWith(response: Response) {
  const fetch = vi.fn(async () => response)
  vi.stubGlobal('fetch', fetch)
  return fetch
}

test('events are read however they are cut; what is no event is left out', async () => {
  const text = [
    ': still here\n\n',
    'id: 7\nevent: change\ndata: {"topic":"hello","id":"","resync":true}\n\n',
    'event: change\ndata: {"topic":"clu',
    'ster","id":"cl_1"}\n',
    '\nevent: change\ndata: rubbish\n\nevent: change\ndata: {"topic":"unknown","id":"x"}\n\n',
    'id: 9\nevent: change\ndata: {"topic":"metrics","id":"cl_1"}\n\n',
  ]
  const bytes = new ReadableStream({
    start(controller) {
      for (const part of text) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })
  const fetch = answerWith(new Response(bytes, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }))
  const changes: unknown[] = []
  let signs = 0
  await readEventStream({
    account: exampleAccount(0),
    signal: new AbortController().signal,
    lastId: '6',
    onChange: (change, id) => changes.push([change, id]),
    onSign: () => {
      signs += 1
    },
  })
  expect(changes).toEqual([
    [{ topic: 'hello', id: '', resync: true }, '7'],
    [{ topic: 'cluster', id: 'cl_1' }, undefined],
    [{ topic: 'metrics', id: 'cl_1' }, '9'],
  ])
  // The comment and five events, rubbish included.
  expect(signs).toBe(6)
  expect(fetch).toHaveBeenCalledWith(
    '/v1/events',
    expect.objectContaining({
      headers: expect.objectContaining({ userid: exampleAccount(0).userid, token: 'token-0', 'Last-Event-ID': '6' }),
    }),
  )
})

test('a session that is over is distinguished from a connection that failed', async () => {
  const read = () =>
    readEventStream({
      account: exampleAccount(0),
      signal: new AbortController().signal,
      lastId: undefined,
      onChange: () => undefined,
      onSign: () => undefined,
    })
  answerWith(Response.json({ code: 506, message: '' }))
  await expect(read()).rejects.toBeInstanceOf(StreamSignedOut)
  answerWith(new Response('bad gateway', { status: 502 }))
  await expect(read()).rejects.not.toBeInstanceOf(StreamSignedOut)
})
