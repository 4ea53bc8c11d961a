import { expect, it } from 'vitest'
import { describeKills, metStatuses, points } from './create-crashes.ts'

describeKills(points)

it('some of the kills came in the middle', () => {
  // One that lasts a few milliseconds may be over before it is seen; not all of them.
  expect(new Set(metStatuses).size).toBeGreaterThanOrEqual(2)
})
