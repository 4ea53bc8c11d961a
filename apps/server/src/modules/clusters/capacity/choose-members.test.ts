import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseMembers, leftOn, type MemberRoom, roomFor } from './choose-members.ts'

const sizes = fc.record({
  cpu: fc.integer({ min: 1, max: 8 }),
  memory: fc.integer({ min: 1, max: 16 }),
  disk: fc.integer({ min: 1, max: 40 }),
})
const amounts = fc.record({ cpu: fc.nat(40), memory: fc.nat(80), disk: fc.nat(200) })
const regions = fc
  .array(fc.record({ accepts: fc.boolean(), total: amounts, sold: amounts }), { maxLength: 5 })
  .map((rows): MemberRoom[] => rows.map((row, at) => ({ ...row, member: `m${at}` })))
const counts = fc.integer({ min: 1, max: 6 })
const resources = ['cpu', 'memory', 'disk'] as const

describe('placing within limits', () => {
  it('finds a place for all exactly when there is room for so many', () => {
    fc.assert(
      fc.property(regions, sizes, counts, (members, size, count) => {
        const chosen = chooseMembers(members, { size, count, isLimited: true })
        expect(chosen?.length).toBe(roomFor(members, size) >= count ? count : undefined)
      }),
    )
  })

  it('sells of no member more than may be sold, and nothing of one that takes no orders', () => {
    fc.assert(
      fc.property(regions, sizes, counts, (members, size, count) => {
        for (const { member, accepts, total, sold } of members) {
          const placed = (chooseMembers(members, { size, count, isLimited: true }) ?? []).filter(
            (one) => one === member,
          )
          if (placed.length === 0) continue
          expect(accepts).toBe(true)
          for (const resource of resources)
            expect(sold[resource] + size[resource] * placed.length).toBeLessThanOrEqual(total[resource])
        }
      }),
    )
  })

  it('takes the member with most left of its scarcest resource, in whatever order they are listed', () => {
    fc.assert(
      fc.property(regions, sizes, (members, size) => {
        const [chosen] = chooseMembers(members, { size, count: 1, isLimited: true }) ?? []
        const [mirrored] = chooseMembers(members.toReversed(), { size, count: 1, isLimited: true }) ?? []
        expect(mirrored).toBe(chosen)
        const best = members.find(({ member }) => member === chosen)
        if (!best) return
        for (const other of members.filter((one) => roomFor([one], size) > 0))
          expect(leftOn(best)).toBeGreaterThanOrEqual(leftOn(other))
      }),
    )
  })
})

it('places without limits wherever orders are taken, however much is sold there', () => {
  fc.assert(
    fc.property(regions, sizes, counts, (members, size, count) => {
      const chosen = chooseMembers(members, { size, count, isLimited: false })
      expect(chosen?.length).toBe(members.some(({ accepts }) => accepts) ? count : undefined)
    }),
  )
})
