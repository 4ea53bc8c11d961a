import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
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
    'event: change\ndata: {"topic":"hello","id":""}\n\n',
    'event: change\ndata: {"topic":"clu',
    'ster","id":"cl_1"}\n',
    '\nevent: change\ndata: rubbish\n\nevent: change\ndata: {"topic":"unknown","id":"x"}\n\n',
    'event: change\ndata: {"topic":"metrics","id":"cl_1"}\n\n',
  ]
  const bytes = new ReadableStream({
    start(controller) {
      for (const part of text) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })
  const fetch = answerWith(new Response(bytes, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }))
  const changes: unknown[] = []
  await readEventStream(exampleAccount(0), new AbortController().signal, (change) => changes.push(change))
  expect(changes).toEqual([
    { topic: 'hello', id: '' },
    { topic: 'cluster', id: 'cl_1' },
    { topic: 'metrics', id: 'cl_1' },
  ])
  expect(fetch).toHaveBeenCalledWith(
    '/v1/events',
    expect.objectContaining({
      headers: expect.objectContaining({ userid: exampleAccount(0).userid, token: 'token-0' }),
    }),
  )
})

test('a session that is over is told apart from a connection that failed', async () => {
  const read = () => readEventStream(exampleAccount(0), new AbortController().signal, () => undefined)
  answerWith(Response.json({ code: 506, message: '' }))
  await expect(read()).rejects.toBeInstanceOf(StreamSignedOut)
  answerWith(new Response('bad gateway', { status: 502 }))
  await expect(read()).rejects.not.toBeInstanceOf(StreamSignedOut)
})
