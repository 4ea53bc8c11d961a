import { expect, test } from 'vitest'
import type { LxdClient } from './lxd-client.ts'
import { isMoving } from './lxd-members.ts'

const unexpected = () => Promise.reject(new Error('not asked for here'))

/** An LXD that does this to its member n2, and is at the container in-1. */
const busyWith = (description: string): LxdClient => ({
  get: async (_path, shape) =>
    shape.parse({
      running: [{ description, location: 'n2', metadata: { evacuation_progress: 'At "in-1" in project "atoll"' } }],
    }),
  find: unexpected,
  change: unexpected,
  upgrade: () => {
    throw new Error('not asked for here')
  },
  close: unexpected,
})

test.each([
  ['Evacuating cluster member', 'in-1', 'n2', true],
  ['Evacuating cluster member', 'in-2', 'n2', false],
  ['Restoring cluster member', 'in-1', 'n3', true],
  ['Restoring cluster member', 'in-2', 'n2', true],
  ['Restoring cluster member', 'in-2', 'n3', false],
  ['Restoring cluster member', 'in-2', undefined, false],
  ['Creating instance', 'in-1', 'n2', false],
] as const)('while LXD is %s n2 and at in-1, %s at %s is moving: %s', async (description, name, location, moves) => {
  expect(await isMoving(busyWith(description), name, location)).toBe(moves)
})
