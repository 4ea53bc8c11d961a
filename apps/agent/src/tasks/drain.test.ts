import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createDrain } from './drain.ts'

// Only `once('close')` of a response is used.
const response = () => new EventEmitter() as ServerResponse

test('a drain ends at once when nothing is under way', async () => {
  await createDrain().begin('task-1')
})

test('what was begun is finished first, and nothing new may change anything', async () => {
  const drain = createDrain()
  const [upload, download] = [response(), response()]
  drain.admit(upload, true)
  let isDone = false
  const done = drain.begin('task-1').then(() => (isDone = true))
  expect(() => drain.admit(response(), true)).toThrow(/about to be removed/)
  drain.admit(download, false)
  upload.emit('close')
  await Promise.resolve()
  expect(isDone).toBe(false)
  download.emit('close')
  await done
})

test('a drain that was given up lets work in again, and one that follows it stands', async () => {
  const drain = createDrain()
  const upload = response()
  drain.admit(upload, true)
  void drain.begin('task-1')
  drain.giveUp('task-1')
  drain.admit(response(), true)
  void drain.begin('task-2')
  drain.giveUp('task-1')
  expect(() => drain.admit(response(), true)).toThrow(/about to be removed/)
})
