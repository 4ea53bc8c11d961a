import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchBody } from './body-rate.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A body on its way to an instance, of which 100 bytes are wanted each second. */
function startBody({ bytesPerSecond = 100 } = {}) {
  const body = new PassThrough()
  const instance = new PassThrough({ highWaterMark: 1000 })
  const onSlow = vi.fn()
  watchBody(body as unknown as IncomingMessage, instance, { bytesPerSecond, windowMs: 1000 }, onSlow)
  return { body, instance, onSlow }
}
const send = (body: PassThrough, bytes: number) => body.emit('data', Buffer.alloc(bytes))

test('a body that brings less than its rate in one window is slow, once', () => {
  const { body, onSlow } = startBody()
  send(body, 100)
  vi.advanceTimersByTime(1000)
  expect(onSlow).not.toHaveBeenCalled()
  send(body, 99)
  vi.advanceTimersByTime(1000)
  vi.advanceTimersByTime(5000)
  expect(onSlow).toHaveBeenCalledTimes(1)
})

test('a body is not slow while the instance takes nothing, and has a whole window once it does', () => {
  const { body, instance, onSlow } = startBody()
  instance.write(Buffer.alloc(2000))
  vi.advanceTimersByTime(5500)
  expect(onSlow).not.toHaveBeenCalled()
  instance.emit('drain')
  vi.advanceTimersByTime(999)
  send(body, 100)
  vi.advanceTimersByTime(1)
  expect(onSlow).not.toHaveBeenCalled()
})

test.each(['end', 'close'])('a body is not slow after its %s', (end) => {
  const { body, onSlow } = startBody()
  body.emit(end)
  vi.advanceTimersByTime(5000)
  expect(onSlow).not.toHaveBeenCalled()
})

test('any rate will do where none is set', () => {
  const { onSlow } = startBody({ bytesPerSecond: 0 })
  vi.advanceTimersByTime(5000)
  expect(onSlow).not.toHaveBeenCalled()
})
