import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { followChanges } from './live-changes.ts'

let streams: ReadableStreamDefaultController<Uint8Array>[]
let refusal: Response | undefined
/** Each stream says hello and ends. */
let cut: boolean
const calls = { onChange: vi.fn(), onHello: vi.fn(), onPoll: vi.fn(), onSignedOut: vi.fn() }
let stop: () => void

const event = (topic: string, id = '') =>
  new TextEncoder().encode(`event: change\ndata: ${JSON.stringify({ topic, id })}\n\n`)

const send = (topic: string, id?: string) => {
  streams.at(-1)?.enqueue(event(topic, id))
  return vi.advanceTimersByTimeAsync(0)
}

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  streams = []
  refusal = undefined
  cut = false
  for (const call of Object.values(calls)) call.mockClear()
  vi.stubGlobal('fetch', async () => {
    if (refusal) return refusal
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.push(controller)
        if (!cut) return
        controller.enqueue(event('hello'))
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  vi.useFakeTimers()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function start() {
  stop = followChanges({ account: exampleAccount(0), ...calls })
  await vi.advanceTimersByTimeAsync(0)
}

test('while the stream is open nothing is polled, and each change is told', async () => {
  await start()
  await send('hello')
  await send('cluster', 'cl_1')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls.onHello).toHaveBeenCalledTimes(1)
  expect(calls.onChange.mock.calls).toEqual([[{ topic: 'cluster', id: 'cl_1' }]])
  expect(calls.onPoll).not.toHaveBeenCalled()
})

test('a stream that ends is opened again, and everything is asked for anew', async () => {
  await start()
  await send('hello')
  streams[0]?.close()
  await vi.advanceTimersByTimeAsync(1000)
  expect(streams).toHaveLength(2)
  await send('hello')
  expect(calls.onHello).toHaveBeenCalledTimes(2)
})

test('while no stream can be opened everything is polled, and tries grow rarer', async () => {
  refusal = new Response('', { status: 502 })
  await start()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls.onPoll).toHaveBeenCalledTimes(20)
  refusal = undefined
  await vi.advanceTimersByTimeAsync(26_000)
  expect(streams).toHaveLength(1)
})

test('a stream that is cut at once again and again is not hammered', async () => {
  cut = true
  await start()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(calls.onHello.mock.calls.length).toBeGreaterThan(3)
  expect(calls.onHello.mock.calls.length).toBeLessThan(8)
})

test('a session that is over is told once and not tried again', async () => {
  refusal = Response.json({ code: 506, message: '' })
  await start()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls.onSignedOut).toHaveBeenCalledTimes(1)
})

test('stopping ends the connection and the polling', async () => {
  await start()
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls.onPoll).not.toHaveBeenCalled()
  expect(streams).toHaveLength(1)
})
