import { DomainVerdict } from '@atoll/contract/domains'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distance, judge, type Seen, type WantedRecord } from './judge.ts'
import type { Result } from './read-reply.ts'

const name = 'cloud.lagoon.example'
const value = 'atoll-verify=abcdefghijklmnopqrstuvwxyz'
const text: WantedRecord = { type: 'TXT', name, value }
const delegation: WantedRecord = { type: 'NS', name, servers: ['ns1.ours.example', 'ns2.ours.example'] }
const alias: WantedRecord = { type: 'CNAME', name, target: 'edge.ours.example' }

const parent = (result: Result, more: Partial<Seen> = {}): Seen => ({
  server: 'ns.parent',
  side: 'parent',
  result,
  ...more,
})
const resolver = (result: Result): Seen => ({ server: 'Quad9', side: 'resolver', result })
const values = (...list: string[]): Result => ({ kind: 'values', values: list, ttl: 300 })
const absent: Result = { kind: 'absent', ttl: 60 }

describe('each verdict', () => {
  const ours = values('ns1.ours.example', 'ns2.ours.example')
  it.each<[string, WantedRecord, Seen[], boolean, object]>([
    ['match', text, [parent(values('other', value))], true, { kind: 'match' }],
    ['missing', text, [parent(absent)], false, { kind: 'missing' }],
    ['a wrong letter', text, [parent(values(value.replace('z', 's')))], false, { kind: 'wrongValue', nearly: true }],
    ['something else', text, [parent(values('v=spf1'))], false, { kind: 'wrongValue', found: ['v=spf1'] }],
    ['in quotes', text, [parent(values(` "${value}" `))], true, { kind: 'quoted' }],
    ['name doubled', text, [parent({ ...absent, instead: { kind: 'nameDoubled' } })], false, { kind: 'nameDoubled' }],
    ['absence cached', text, [resolver(absent), parent(values(value))], true, { kind: 'stillCached', clearsIn: 60 }],
    [
      'old value cached',
      text,
      [resolver(values('old')), parent(values(value))],
      true,
      { kind: 'stillCached', found: ['old'] },
    ],
    [
      'servers disagree',
      text,
      [parent(absent), parent(values(value))],
      false,
      { kind: 'serversDisagree', agree: { have: 1, of: 2 } },
    ],
    [
      'broken signatures',
      text,
      [resolver({ kind: 'bogus', extendedError: 7 }), parent(values(value))],
      false,
      { kind: 'dnssecBroken', extendedError: 7 },
    ],
    ['lame', text, [parent({ kind: 'lame' }), parent(values(value))], true, { kind: 'lame' }],
    ['refused', text, [parent({ kind: 'refused' })], false, { kind: 'refused' }],
    ['no answer', text, [parent({ kind: 'noAnswer' })], false, { kind: 'noAnswer' }],
    ['delegated', delegation, [parent(ours)], true, { kind: 'match' }],
    ['delegated to one only', delegation, [parent(values('ns1.ours.example'))], false, { kind: 'missing' }],
    [
      'delegated to others too',
      delegation,
      [parent(values('ns1.ours.example', 'ns2.ours.example', 'a.b'))],
      false,
      { kind: 'otherServers' },
    ],
    ['misspelt server', delegation, [parent(values('ns1.our.example'))], false, { kind: 'wrongValue', nearly: true }],
    ['alias', alias, [parent(values('x.example', 'edge.ours.example'))], true, { kind: 'match' }],
    [
      'proxied',
      alias,
      [parent({ ...absent, instead: { kind: 'proxied', found: ['192.0.2.1'] } })],
      false,
      { kind: 'proxied', found: ['192.0.2.1'] },
    ],
  ])('is given by what the servers answered: %s', (_, wanted, seen, passed, first) => {
    const result = judge(wanted, seen)
    expect(result.passed).toBe(passed)
    expect(result.verdicts[0]).toMatchObject(first)
  })

  it('a DS record left at the parent', () => {
    const result = judge(delegation, [parent(ours, { hasDs: true })])
    expect(result).toMatchObject({ passed: false, verdicts: [{ kind: 'match' }, { kind: 'dsLeft', type: 'DS' }] })
  })
})

const anyValue = fc.oneof(
  fc.constantFrom(value, `"${value}"`, 'ns1.ours.example', 'ns2.ours.example', 'edge.ours.example'),
  fc.string({ maxLength: 700 }),
)
const anyResult: fc.Arbitrary<Result> = fc.oneof(
  fc.array(anyValue, { minLength: 1, maxLength: 30 }).map((list) => values(...list)),
  fc.record({ ttl: fc.nat() }).map((more) => ({ kind: 'absent' as const, ...more })),
  fc.constantFrom<Result>(absent, { kind: 'bogus' }, { kind: 'refused' }, { kind: 'lame' }, { kind: 'noAnswer' }),
)
const anySeen = fc.array(
  fc.record({ server: fc.string(), side: fc.constantFrom('parent' as const, 'resolver' as const), result: anyResult }),
  { maxLength: 8 },
)
const anyWanted = fc.constantFrom(text, delegation, alias)

describe('whatever was seen', () => {
  it('each server gets one verdict, as the contract has it', () => {
    fc.assert(
      fc.property(anyWanted, anySeen, (wanted, seen) => {
        const { verdicts } = judge(wanted, seen)
        expect(verdicts).toHaveLength(seen.length)
        for (const verdict of verdicts) DomainVerdict.parse(verdict)
      }),
    )
  })

  it('it passed when the parent says so with one voice, and nobody calls it bogus', () => {
    fc.assert(
      fc.property(anyWanted, anySeen, (wanted, seen) => {
        const { passed, verdicts } = judge(wanted, seen)
        const kindsOf = (side: string) =>
          seen.flatMap((one, index) => (one.side === side ? [verdicts[index]?.kind] : []))
        const parents = kindsOf('parent').filter(
          (kind) => !['lame', 'refused', 'noAnswer', 'dnssecBroken'].includes(kind ?? ''),
        )
        const isRight = parents.length > 0 && parents.every((kind) => kind === 'match' || kind === 'quoted')
        expect(passed).toBe(isRight && !kindsOf('resolver').includes('dnssecBroken'))
      }),
    )
  })

  it('what a resolver still has decides nothing', () => {
    fc.assert(
      fc.property(anyWanted, anySeen, anyResult, (wanted, seen, result) => {
        fc.pre(result.kind !== 'bogus')
        expect(judge(wanted, [...seen, resolver(result)]).passed).toBe(judge(wanted, seen).passed)
      }),
    )
  })
})

it('distance counts letters to add, drop or change', () => {
  expect(distance('abcd', 'abcd')).toBe(0)
  expect(distance('abcd', 'abxd')).toBe(1)
  expect(distance('abcd', 'bcda')).toBe(2)
  expect(distance('abcd', 'abcdefgh')).toBeGreaterThan(2)
})
