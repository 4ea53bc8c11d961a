import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleAccount } from '../../testing/accounts.ts'
import { startConsole, stubBrowser } from '../../testing/browser.ts'
import { followChanges } from './live-changes.ts'

let streams: ReadableStreamDefaultController<Uint8Array>[]
/** The numbers that streams were asked to continue after. */
let lastIds: (string | undefined)[]
let refusal: Response | undefined
/** Each stream says hello and ends. */
let cut: boolean
const calls = {
  onChange: vi.fn(),
  onHello: vi.fn(),
  onResumed: vi.fn(),
  onPoll: vi.fn(),
  onTick: vi.fn(),
  onSignedOut: vi.fn(),
}
let stop: () => void

const text = (words: string) => new TextEncoder().encode(words)
const event = (topic: string, id = '', facts = {}) =>
  text(`event: change\ndata: ${JSON.stringify({ topic, id, ...facts })}\n\n`)

const send = (topic: string, id?: string) => {
  streams.at(-1)?.enqueue(event(topic, id))
  return vi.advanceTimersByTimeAsync(0)
}
const sendNumbered = (number: number, topic: string, id: string, facts = {}) => {
  streams.at(-1)?.enqueue(text(`id: ${number}\n`))
  streams.at(-1)?.enqueue(event(topic, id, facts))
  return vi.advanceTimersByTimeAsync(0)
}

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  streams = []
  lastIds = []
  refusal = undefined
  cut = false
  for (const call of Object.values(calls)) call.mockClear()
  vi.stubGlobal(
    'fetch',
    async (_: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
      if (refusal) return refusal
      lastIds.push(headers['Last-Event-ID'])
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.push(controller)
          signal.addEventListener('abort', () => controller.error(signal.reason))
          if (!cut) return
          controller.enqueue(event('hello'))
          controller.close()
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  )
  vi.useFakeTimers()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function start() {
  stop = followChanges({ account: exampleAccount(0), ...calls })
  await vi.advanceTimersByTimeAsync(0)
}

test('while the stream is open nothing is polled, and each change is passed on', async () => {
  await start()
  await send('hello')
  await send('cluster', 'cl_1')
  await vi.advanceTimersByTimeAsync(30_000)
  streams[0]?.enqueue(text(': still here\n\n'))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(calls.onHello).toHaveBeenCalledTimes(1)
  expect(calls.onChange.mock.calls).toEqual([[{ topic: 'cluster', id: 'cl_1' }]])
  expect(calls.onPoll).not.toHaveBeenCalled()
})

test('a stream that ends is opened again, and everything is invalidated', async () => {
  await start()
  await send('hello')
  streams[0]?.close()
  await vi.advanceTimersByTimeAsync(1000)
  expect(streams).toHaveLength(2)
  await send('hello')
  expect(calls.onHello).toHaveBeenCalledTimes(2)
})

test('a stream that is opened again goes on where the last one was, and asks for nothing it knows', async () => {
  await start()
  await sendNumbered(40, 'hello', '', { resync: true })
  await sendNumbered(42, 'cluster', 'cl_1')
  streams[0]?.close()
  await vi.advanceTimersByTimeAsync(1000)
  expect(lastIds).toEqual([undefined, '42'])
  await sendNumbered(42, 'hello', '', { resync: false })
  await sendNumbered(45, 'cluster', 'cl_2')
  expect(calls.onHello).toHaveBeenCalledTimes(1)
  expect(calls.onResumed).toHaveBeenCalledTimes(1)
  expect(calls.onChange.mock.calls.map(([change]) => change.id)).toEqual(['cl_1', 'cl_2'])
  streams[1]?.close()
  await vi.advanceTimersByTimeAsync(2000)
  expect(lastIds[2]).toBe('45')
  // Away too long: the server says so, and everything is asked for.
  await sendNumbered(99, 'hello', '', { resync: true })
  expect(calls.onHello).toHaveBeenCalledTimes(2)
})

test('a connection that gives no sign of life any more is opened again', async () => {
  await start()
  await sendNumbered(7, 'hello', '', { resync: true })
  await vi.advanceTimersByTimeAsync(39_000)
  expect(streams).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(6000)
  expect(lastIds).toEqual([undefined, '7'])
})

test('while no stream can be opened everything is polled, and as soon as one can it is open', async () => {
  refusal = new Response('', { status: 502 })
  await start()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls.onPoll).toHaveBeenCalledTimes(20)
  expect(calls.onTick).not.toHaveBeenCalled()
  refusal = undefined
  await vi.advanceTimersByTimeAsync(4000)
  expect(streams).toHaveLength(1)
})

test('while the tab is hidden nothing is polled, and tries grow rarer', async () => {
  // The longest waits: tries at 31.5, 51.5 and 71.5 s.
  vi.spyOn(Math, 'random').mockReturnValue(1)
  Object.assign(document, { visibilityState: 'hidden' })
  refusal = new Response('', { status: 502 })
  await start()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls.onPoll).not.toHaveBeenCalled()
  refusal = undefined
  await vi.advanceTimersByTimeAsync(4000)
  expect(streams).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(22_000)
  expect(streams).toHaveLength(1)
})

test('while the stream is open there is a time to retry what failed', async () => {
  await start()
  await send('hello')
  await vi.advanceTimersByTimeAsync(9000)
  expect(calls.onTick).toHaveBeenCalledTimes(3)
})

test('a stream that is cut at once again and again is not hammered', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  cut = true
  await start()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(calls.onHello.mock.calls.length).toBeGreaterThan(3)
  expect(calls.onHello.mock.calls.length).toBeLessThan(8)
})

test('a session that is over is reported once and not tried again', async () => {
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
