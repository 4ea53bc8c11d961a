import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { Db } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { decommission } from './pending-decommission.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

test('one that is to leave and says a thousand things is held back by its own connection', () => {
  const sent: string[] = []
  const socket = Object.assign(new EventEmitter(), {
    isPaused: false,
    pause() {
      this.isPaused = true
    },
    resume() {
      this.isPaused = false
    },
    send: (text: string) => void sent.push(text),
    terminate: () => undefined,
  })
  const complained: string[] = []
  const complaints = { warn: (_: string, message: string) => void complained.push(message), flush: () => undefined }
  decommission(
    // Nothing is asked of a database before it says that it left.
    { db: {} as Db, log: silentLog, complaints },
    // A socket is listened to, paused, resumed, written and ended, and nothing else.
    socket as unknown as WebSocket,
    { instanceId: 'in_one', wipe: false },
  )
  for (let at = 0; at < 1000; at += 1) socket.emit('message', Buffer.from('{}'), false)
  expect(socket.isPaused).toBe(true)
  expect(complained).toEqual([expect.stringContaining('held back')])
  socket.emit('close')
  expect(sent).toEqual([])
})
