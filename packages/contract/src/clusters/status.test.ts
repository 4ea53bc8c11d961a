import { describe, expect, test } from 'vitest'
import { type BadgeColour, type ClusterStatus, ClusterStatus as ClusterStatusSchema, statusTable } from './status.ts'

/** Spec §4, "Badge colours", as written there; grey is 'inactivated or others'. */
const spec = {
  green: ['running', 'paid'],
  amber: ['queuing', 'fetching', 'pending', 'installing', 'restoring', 'restarting', 'stopping', 'starting'],
  // The design's name for the spec's red.
  coral: ['restore_error', 'stopped', 'errored', 'destroying', 'destroyed', 'unpaid', 'canceled'],
  grey: ['inactivated', 'destroy_to_be_confirmed', 'waiting_destroy', 'canceling', 'offline'],
} as const satisfies Record<BadgeColour, readonly ClusterStatus[]>

describe('the status table', () => {
  test('has exactly the statuses of spec §4', () => {
    expect(Object.keys(statusTable).sort()).toEqual(Object.values(spec).flat().sort())
  })

  test.each(Object.entries(spec))('%s is the colour of what the spec lists', (colour, statuses) => {
    const coloured = Object.entries(statusTable).filter(([, look]) => look.colour === colour)
    expect(coloured.map(([status]) => status).sort()).toEqual([...statuses].sort())
  })

  test('the sign turns for statuses that change without a person, and for no others', () => {
    const moving = Object.entries(statusTable).filter(([, look]) => look.shape === 'ring')
    expect(moving.map(([status]) => status).sort()).toEqual([...spec.amber, 'canceling', 'destroying'].sort())
  })

  test('is what the wire accepts', () => {
    expect(ClusterStatusSchema.safeParse('running').success).toBe(true)
    expect(ClusterStatusSchema.safeParse('toString').success).toBe(false)
  })
})
