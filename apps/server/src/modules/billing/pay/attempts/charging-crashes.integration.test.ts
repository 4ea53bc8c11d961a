/** One row of the crash matrix; `charging-crashes.deep` has all of them. */
import { test } from 'vitest'
import { killAnywhere } from '../../testing/charging-crashes.ts'

test('a worker killed at every boundary of a payment: charged once or not at all, and the book says so', async () => {
  await killAnywhere('pays', 8)
})
