import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { silentLog } from '../platform/log.ts'
import { createShutdown } from './shutdown.ts'

const forever = () => new Promise<void>(() => undefined)

it('stops in the reverse order of the start, one after another', async () => {
  const stopped: string[] = []
  const shutdown = createShutdown({ deadlineMs: 5000, log: silentLog })
  for (const name of ['database', 'worker', 'requests']) {
    shutdown.add(name, async () => {
      await delay(name === 'requests' ? 20 : 0)
      stopped.push(name)
    })
  }
  expect(await shutdown.run()).toBe(true)
  expect(stopped).toEqual(['requests', 'worker', 'database'])
})

it('leaves a late phase behind, and still runs the ones after it', async () => {
  const stopped: string[] = []
  const shutdown = createShutdown({ deadlineMs: 100, log: silentLog })
  shutdown.add('postgres', async () => {
    await delay(50)
    stopped.push('postgres')
  })
  shutdown.add('worker', forever)
  shutdown.add('requests', forever)
  expect(await shutdown.run()).toBe(false)
  expect(stopped).toEqual(['postgres'])
})

it('goes on after a phase that fails', async () => {
  const stopped: string[] = []
  const shutdown = createShutdown({ deadlineMs: 5000, log: silentLog })
  shutdown.add('postgres', async () => {
    stopped.push('postgres')
  })
  shutdown.add('worker', async () => {
    throw new Error('cannot')
  })
  expect(await shutdown.run()).toBe(false)
  expect(stopped).toEqual(['postgres'])
})

it('runs once, however often it is asked', async () => {
  let runs = 0
  const shutdown = createShutdown({ deadlineMs: 5000, log: silentLog })
  shutdown.add('once', async () => {
    runs += 1
  })
  await Promise.all([shutdown.run(), shutdown.run()])
  expect(runs).toBe(1)
})
