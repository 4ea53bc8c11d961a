import { test } from 'vitest'
import { killAnywhere, payments } from '../../testing/charging-crashes.ts'

test.each(payments)(
  'a worker killed at every boundary of a payment that %s: charged once or not at all, and the book says so',
  killAnywhere,
)
