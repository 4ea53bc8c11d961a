import { expect, it } from 'vitest'
import { decideStray } from './maintain-strays.ts'

const found = { doomed: false, stopped_at: null }

it.each([
  ['is stopped first', found, { isHeld: false, isDue: false, canStop: true }, 'stop'],
  ['is stopped once', { ...found, stopped_at: new Date() }, { isHeld: false, isDue: false, canStop: true }, 'list'],
  ['is only listed where it cannot be stopped', found, { isHeld: false, isDue: false, canStop: false }, 'list'],
  ['is removed after the days', found, { isHeld: false, isDue: true, canStop: true }, 'remove'],
  ['is only listed while careful, however old', found, { isHeld: true, isDue: true, canStop: true }, 'list'],
  [
    'is removed at the operator’s word',
    { ...found, doomed: true },
    { isHeld: true, isDue: false, canStop: true },
    'remove',
  ],
] as const)('a stray %s', (_, row, facts, step) => {
  expect(decideStray(row, facts)).toBe(step)
})
