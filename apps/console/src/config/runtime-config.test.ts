import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { noteServerTime, serverNow, toDeviceTime } from './runtime-config.ts'

const hour = 3_600_000
const start = Date.parse('2026-11-21T12:00:00Z')
const header = (time: number) => new Date(time).toUTCString()

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['Date'] })
  stubBrowser()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([hour, -hour])('a clock that is %i ms off is corrected to the server’s time', async (offset) => {
  await startConsole({ now: start - offset })
  expect(serverNow()).toBe(start - offset)
  expect(toDeviceTime(serverNow())).toBe(start)
})

test('a clock that is set while the page is open is noticed with the next answer', async () => {
  await startConsole({ now: start })
  vi.setSystemTime(start + hour)
  noteServerTime(header(start + 3000), start + hour - 20)
  expect(Math.abs(serverNow() - (start + 3000))).toBeLessThan(1000)
})

test('an answer that was long on its way says nothing about the clocks', async () => {
  await startConsole({ now: start })
  vi.setSystemTime(start + 1000)
  noteServerTime(header(start - 25_000), start - 25_000)
  expect(serverNow()).toBe(start + 1000)
  vi.setSystemTime(start + hour)
  noteServerTime(null, start)
  noteServerTime('soon', start)
  expect(serverNow()).toBe(start + hour)
})
