import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { paceMessages } from './paced-messages.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Ten messages or 1000 bytes a second, two seconds' worth at once. */
const pace = { messagesPerSecond: 10, bytesPerSecond: 1000, burstSeconds: 2 }

function openSocket() {
  const socket = Object.assign(new EventEmitter(), {
    isPaused: false,
    pause() {
      this.isPaused = true
    },
    resume() {
      this.isPaused = false
    },
  })
  const taken: string[] = []
  let heldBack = 0
  const paced = paceMessages(socket as unknown as WebSocket, pace, {
    // A socket is listened to, paused and resumed, and nothing else.
    take: (data) => void taken.push(data.toString()),
    onHeldBack() {
      heldBack += 1
    },
  })
  const say = (text: string) => socket.emit('message', Buffer.from(text), false)
  return { socket, taken, paced, say, heldBack: () => heldBack }
}

test('a burst passes at once, then messages at the pace, in their order, and reading stops meanwhile', () => {
  const { socket, taken, say, heldBack } = openSocket()
  for (let at = 0; at < 50; at += 1) say(`${at}`)
  expect([taken.length, socket.isPaused, heldBack()]).toEqual([20, true, 1])
  vi.advanceTimersByTime(1000)
  expect(taken.length).toBeGreaterThanOrEqual(29)
  expect(taken.length).toBeLessThanOrEqual(31)
  vi.advanceTimersByTime(3000)
  expect(taken).toEqual(Array.from({ length: 50 }, (_, at) => `${at}`))
  expect(socket.isPaused).toBe(false)
})

test('bytes count as messages do, and one message larger than a burst passes', () => {
  const { socket, taken, say } = openSocket()
  say('x'.repeat(5000))
  expect([taken.length, socket.isPaused]).toEqual([1, false])
  say('next')
  expect([taken.length, socket.isPaused]).toEqual([1, true])
  vi.advanceTimersByTime(2900)
  expect(taken).toHaveLength(1)
  vi.advanceTimersByTime(200)
  expect([taken.length, socket.isPaused]).toEqual([2, false])
})

test('what waits when the channel ends is dropped', () => {
  const { taken, paced, say } = openSocket()
  for (let at = 0; at < 50; at += 1) say(`${at}`)
  paced.stop()
  vi.advanceTimersByTime(60_000)
  expect(taken).toHaveLength(20)
})
