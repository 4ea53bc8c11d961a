import { InstallLog, type InstallStep } from '@atoll/contract/clusters'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { installGlance } from './install-glance.ts'

const step = (name: string, state: InstallStep['state'], lines: string[]): InstallStep => {
  const at = '2026-03-01T10:00:00.000Z'
  return { step: name, state, startedAt: at, endedAt: state === 'done' ? at : null, lines }
}
const read = (text: string) => InstallLog.parse(JSON.parse(text))

test('every step is there with its state and times, and the last three lines of all', () => {
  const log = [
    step('prepare', 'done', ['a', 'b', 'c']),
    step('fetch', 'done', []),
    step('install', 'running', ['d', 'e']),
  ]
  expect(read(installGlance(JSON.stringify(log)))).toEqual([
    step('prepare', 'done', ['c']),
    step('fetch', 'done', []),
    step('install', 'running', ['d', 'e']),
  ])
  expect(installGlance('[]')).toBe('[]')
})

test('whatever an agent reported, it takes at most 4 kB and ends with the step that the log ends with', () => {
  const lines = fc.array(fc.string({ unit: 'grapheme', maxLength: 120 }), { maxLength: 200 })
  const steps = fc.array(
    fc.record({ name: fc.string({ minLength: 1, maxLength: 40 }), lines, state: fc.constantFrom('done', 'running') }),
    { minLength: 1, maxLength: 40 },
  )
  fc.assert(
    fc.property(steps, (all) => {
      const log = all.map(({ name, state, lines: said }) => step(name, state as InstallStep['state'], said))
      const glance = installGlance(JSON.stringify(log))
      expect(Buffer.byteLength(glance)).toBeLessThanOrEqual(4096)
      expect(read(glance).at(-1)).toMatchObject({ step: log.at(-1)?.step, state: log.at(-1)?.state })
    }),
    { numRuns: 60 },
  )
})
