import { expect, test } from 'vitest'
import { type Choice, confirmTrial, decideStart, leaveTrial, stepBack } from './choice.ts'

const base = { version: '1.0.0', folder: null }
const second = { version: '1.1.0', folder: 'b' }
const trial = { ...second, taskId: 'at_1', withinMs: 90_000, isStarted: false }
const plain: Choice = { base: '1.0.0', current: base, previous: null, trial: null, failed: null }

test('the base runs until there is another, which is tried once and stays when it is confirmed', () => {
  expect(decideStart(undefined, '1.0.0')).toEqual({ program: base })
  const tried = decideStart({ ...plain, trial }, '1.0.0')
  expect(tried.program).toMatchObject(second)
  expect(tried.choice?.trial?.isStarted).toBe(true)
  const confirmed = confirmTrial(tried.choice ?? plain)
  expect(decideStart(confirmed, '1.0.0')).toEqual({ program: second })
  expect(confirmed.previous).toEqual(base)
  expect(decideStart(stepBack(confirmed), '1.0.0').program).toEqual(base)
  expect(stepBack(plain)).toBeUndefined()
})

test('a trial that was cut short is not tried again, and its task hears why', () => {
  const started = { ...plain, trial: { ...trial, isStarted: true } }
  const next = decideStart(started, '1.0.0')
  expect(next.program).toEqual(base)
  expect(next.choice).toMatchObject({ trial: null, failed: { taskId: 'at_1' } })
  expect(leaveTrial(started, 'late')).toMatchObject({ current: base, trial: null, failed: { reason: 'late' } })
})

test('what was installed over it wins', () => {
  const updated: Choice = { ...plain, current: second, previous: base }
  const next = decideStart(updated, '1.2.0')
  expect(next.program).toEqual({ version: '1.2.0', folder: null })
  expect(decideStart(next.choice, '1.2.0').program.folder).toBeNull()
})
