import { expect, it, vi } from 'vitest'
import { ApiProblem } from '../../api/call.ts'
import type { uploadFile } from '../../api/upload.ts'
import { createUploadQueue } from './upload-queue.ts'

type Options = Parameters<typeof uploadFile>[0]

/** A queue whose uploads end when the test says so. */
function queueInHand() {
  const started: { options: Options; end: PromiseWithResolvers<void> }[] = []
  const queue = createUploadQueue((options) => {
    const end = Promise.withResolvers<void>()
    options.signal.addEventListener('abort', () => end.reject(options.signal.reason))
    started.push({ options, end })
    return end.promise
  })
  const states = () => queue.list().map(({ state }) => state)
  return { queue, started, states }
}
const files = (...names: string[]) => names.map((name) => new File(['12345'], name))

it('runs two at once and the next when one ends', async () => {
  const { queue, started, states } = queueInHand()
  queue.add('/Photos', files('a', 'b', 'c'))
  expect(states()).toEqual(['running', 'running', 'waiting'])
  expect(started[0]?.options).toMatchObject({ path: '/Photos/a', replace: false })
  started[0]?.end.resolve()
  await vi.waitFor(() => expect(states()).toEqual(['done', 'running', 'running']))
})

it('reports what was sent, and which folder changed', async () => {
  const { queue, started } = queueInHand()
  const changed = vi.fn()
  queue.onDone(changed)
  queue.add('/', files('a'))
  started[0]?.options.onProgress(3)
  expect(queue.list()[0]).toMatchObject({ sent: 3, size: 5 })
  started[0]?.end.resolve()
  await vi.waitFor(() => expect(changed).toHaveBeenCalledWith('/'))
})

it('cancels one that runs and one that waits', async () => {
  const { queue, states } = queueInHand()
  queue.add('/', files('a', 'b', 'c'))
  queue.cancel(3)
  queue.cancel(1)
  await vi.waitFor(() => expect(states()).toEqual(['canceled', 'running', 'canceled']))
})

it('tries a failed one again', async () => {
  const { queue, started, states } = queueInHand()
  queue.add('/', files('a'))
  started[0]?.end.reject(new ApiProblem('diskFull'))
  await vi.waitFor(() => expect(queue.list()[0]).toMatchObject({ state: 'failed', error: { code: 'diskFull' } }))
  queue.retry(1)
  started[1]?.end.resolve()
  await vi.waitFor(() => expect(states()).toEqual(['done']))
})

it('asks before replacing, and replaces or keeps both as chosen', async () => {
  const { queue, started, states } = queueInHand()
  queue.add('/', files('reef.jpg', 'note.txt'))
  for (const { end } of started) end.reject(new ApiProblem('exists'))
  await vi.waitFor(() => expect(states()).toEqual(['exists', 'exists']))
  queue.replace(1)
  queue.keepBoth(2)
  expect(started[2]?.options).toMatchObject({ path: '/reef.jpg', replace: true })
  expect(started[3]?.options).toMatchObject({ path: '/note (2).txt', replace: false })
})

it('clears what is over and nothing else', async () => {
  const { queue, started, states } = queueInHand()
  queue.add('/', files('a', 'b'))
  started[0]?.end.resolve()
  await vi.waitFor(() => expect(states()).toEqual(['done', 'running']))
  queue.clear()
  expect(states()).toEqual(['running'])
})
