import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CopyFacts, decideCopy } from './decide-copy.ts'

const now = new Date('2026-06-01T00:00:00Z')
const deletion = { name: 'a.example.', type: 'A', changetype: 'DELETE' as const }
const allFacts: fc.Arbitrary<CopyFacts> = fc.record({
  now: fc.constant(now),
  serial: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  copy: fc.option(
    fc.record({ version: fc.option(fc.integer({ min: 1, max: 3 })), failures: fc.integer({ min: 0, max: 40 }) }),
    { nil: undefined },
  ),
  seen: fc.oneof(
    fc.constant({ kind: 'absent' as const }),
    fc.record({
      kind: fc.constant('zone' as const),
      isOurs: fc.boolean(),
      isPlain: fc.boolean(),
      changes: fc.subarray([deletion]),
    }),
    fc.record({
      kind: fc.constant('fault' as const),
      problem: fc.constantFrom('away' as const, 'refused' as const),
      detail: fc.constant('no'),
    }),
  ),
})

test('what others made is never changed, what is wanted never removed, and a failure waits for later', () => {
  fc.assert(
    fc.property(allFacts, (facts) => {
      const step = decideCopy(facts)
      const { seen, serial, copy } = facts
      const isForeign = seen.kind === 'zone' && !seen.isOurs
      if (isForeign) expect(['fail', 'forget']).toContain(step.kind)
      if (serial !== undefined) expect(['remove', 'forget']).not.toContain(step.kind)
      else expect(['remove', 'forget', 'fail']).toContain(step.kind)
      if (seen.kind === 'fault' || step.kind === 'fail')
        expect(step).toMatchObject({ kind: 'fail', problem: expect.any(String) })
      if (step.kind === 'fail') expect(step.until > now).toBe(true)
      if ('isRepair' in step) expect(step.isRepair).toBe(copy?.version === serial)
    }),
  )
})

test('it is created, made plain, patched and confirmed', () => {
  const decide = (seen: CopyFacts['seen']) => decideCopy({ now, serial: 2, copy: undefined, seen }).kind
  const zone = { kind: 'zone', isOurs: true, isPlain: true, changes: [] } as const
  expect(decide({ kind: 'absent' })).toBe('create')
  expect(decide({ ...zone, isPlain: false, changes: [deletion] })).toBe('makePlain')
  expect(decide({ ...zone, changes: [deletion] })).toBe('patch')
  expect(decide({ ...zone, changes: [] })).toBe('confirm')
})

test('failures wait ever longer, up to a minute while it is away', () => {
  const waitAfter = (failures: number) => {
    const step = decideCopy({
      now,
      serial: 2,
      copy: { version: 1, failures },
      seen: { kind: 'fault', problem: 'away', detail: '' },
    })
    return step.kind === 'fail' ? step.until.getTime() - now.getTime() : undefined
  }
  expect([0, 1, 2, 20].map(waitAfter)).toEqual([1000, 2000, 4000, 60_000])
})
