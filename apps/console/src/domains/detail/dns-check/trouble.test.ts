import { type DomainVerdict, verdictKinds } from '@atoll/contract/domains'
import { expect, it } from 'vitest'
import { toneOf, troubleOf } from './trouble.ts'

const verdict = (kind: DomainVerdict['kind'], side: DomainVerdict['side'] = 'parent'): DomainVerdict => ({
  kind,
  side,
  server: 'ns.parent.test',
  name: 'cloud.lagoon.example',
  type: 'NS',
})
const checked = (passed: boolean, ...verdicts: DomainVerdict[]) => ({
  look: { passed, verdicts, checkedAt: null, nextAt: null, until: null },
})

it('says nothing of a check that found the right records, nor of one that has not run', () => {
  expect(troubleOf(checked(true, verdict('match'), verdict('stillCached', 'resolver')))).toBeUndefined()
  expect(troubleOf(checked(false))).toBeUndefined()
})

it('explains what the parent says before what resolvers say', () => {
  const found = troubleOf(checked(false, verdict('noAnswer', 'resolver'), verdict('missing'), verdict('wrongValue')))
  expect(found?.kind).toBe('wrongValue')
})

it('explains broken signatures that only a resolver sees', () => {
  expect(troubleOf(checked(false, verdict('match'), verdict('dnssecBroken', 'resolver')))?.kind).toBe('dnssecBroken')
})

it('falls back to what resolvers say where no server of the parent is known', () => {
  expect(troubleOf(checked(false, verdict('missing', 'resolver')))?.kind).toBe('missing')
})

it('explains every verdict that stands alone', () => {
  for (const kind of verdictKinds.filter((each) => each !== 'match')) {
    expect(troubleOf(checked(false, verdict(kind)))?.kind).toBe(kind)
    expect(['coral', 'amber', 'neutral']).toContain(toneOf(kind))
  }
})
