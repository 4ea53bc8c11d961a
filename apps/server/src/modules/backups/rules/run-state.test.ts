import { type RunState, runStates } from '@atoll/contract/backups'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextRunState, type RunEvent, runEvents } from './run-state.ts'

const hasEnded = (state: RunState) => ['Completed', 'Failed', 'Canceled'].includes(state)

const walk = (events: readonly RunEvent[]): RunState[] => {
  const seen: RunState[] = ['Pending']
  for (const event of events) seen.push(nextRunState(seen.at(-1) ?? 'Pending', event) ?? seen.at(-1) ?? 'Pending')
  return seen
}

describe('the states of a run', () => {
  test('an end is final, whatever is reported after it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...runEvents), { maxLength: 30 }), (events) => {
        const seen = walk(events)
        const end = seen.findIndex(hasEnded)
        if (end >= 0) expect(new Set(seen.slice(end)).size).toBe(1)
      }),
    )
  })

  test('nothing completes that was not sent, and each open state has a way to each end', () => {
    expect(nextRunState('Pending', 'complete')).toBeUndefined()
    expect(nextRunState('Pending', 'begin')).toBeUndefined()
    for (const state of runStates.filter((each) => !hasEnded(each))) {
      expect([nextRunState(state, 'fail'), nextRunState(state, 'cancel')]).toEqual(['Failed', 'Canceled'])
    }
  })

  test('a lost run waits again, and can be sent again', () => {
    expect(walk(['send', 'begin', 'lose', 'send', 'begin', 'complete'])).toEqual([
      'Pending',
      'Started',
      'Running',
      'Pending',
      'Started',
      'Running',
      'Completed',
    ])
  })
})
