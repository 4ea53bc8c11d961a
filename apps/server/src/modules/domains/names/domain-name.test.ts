import { longestDomain } from '@atoll/contract/domains'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBelow, isNameFault, parentsOf, parseDomainName, registrableOf } from './domain-name.ts'
import { shownDomain } from './shown-domain.ts'
import { newTxtToken, txtNames, txtValue } from './txt-record.ts'

const own = ['atoll.test', 'edge.reef.test']
const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,10}[a-z0-9])?$/)
/** Three labels under a suffix that anybody may use for examples. */
const goodName = fc.tuple(label, label).map((labels) => `${labels.join('.')}.lagoon.example`)

describe('a domain name', () => {
  test.each([
    ['cloud.lagoon.example', 'cloud.lagoon.example', false],
    ['lagoon.example', 'lagoon.example', true],
    [' Cloud.Lagoon.EXAMPLE. ', 'cloud.lagoon.example', false],
    ['bücher.example', 'xn--bcher-kva.example', true],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example', true],
    ['例え。jp', 'xn--r8jz45g.jp', true],
    ['lagoon.co.uk', 'lagoon.co.uk', true],
    ['a.lagoon.github.io', 'a.lagoon.github.io', false],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`, true],
  ])('%j is %s', (typed, domain, isApex) => {
    expect(parseDomainName(typed, own)).toEqual({ domain, isApex })
  })

  test.each([
    ['', 'domainMissing'],
    [' . ', 'domainMissing'],
    [`${'a'.repeat(64)}.example`, 'domainLabelLong'],
    [`${`${'a'.repeat(40)}.`.repeat(4)}${'b'.repeat(19)}.example`, 'domainLong'],
    ['💩.example', 'domainLetters'],
    ['a💩b.lagoon.example', 'domainLetters'],
    ['xn--ls8h.example', 'domainLetters'],
    ['1.2.3', 'domainIsNumber'],
    ['127.0.0.1', 'domainIsNumber'],
    ['0x7f.1', 'domainIsNumber'],
    ['lagoon.12', 'domainIsNumber'],
    ['[::1]', 'domainIsAddress'],
    ['_x.example', 'domainLetters'],
    ['xn--a', 'domainLetters'],
    ['xn--a.example', 'domainLetters'],
    ['ab--c.example', 'domainLetters'],
    ['-a.example', 'domainLetters'],
    ['a-.example', 'domainLetters'],
    ['a..example', 'domainLetters'],
    ['.a.example', 'domainLetters'],
    ['a.example..', 'domainLetters'],
    ['a b.example', 'domainLetters'],
    ['a%2eb.example', 'domainLetters'],
    ['*.lagoon.example', 'domainLetters'],
    ['a\0b.example', 'domainLetters'],
    ['https://lagoon.example/x', 'domainIsAddress'],
    ['lagoon.example:443', 'domainIsAddress'],
    ['me@lagoon.example', 'domainIsAddress'],
    ['co.uk', 'domainPublicSuffix'],
    ['github.io', 'domainPublicSuffix'],
    ['localhost', 'domainSingleLabel'],
    ['lagoon', 'domainSingleLabel'],
    ['a.localhost', 'domainReserved'],
    ['printer.local', 'domainReserved'],
    ['a.onion', 'domainReserved'],
    ['1.168.192.in-addr.arpa', 'domainReserved'],
    ['a.internal', 'domainReserved'],
    ['a.invalid', 'domainReserved'],
    ['atoll.test', 'domainOurs'],
    ['a.atoll.test', 'domainOurs'],
    ['reef.test', 'domainOurs'],
  ])('%j is refused: %s', (typed, fault) => {
    expect(parseDomainName(typed, own)).toMatchObject({ fault })
  })

  test('is the same when it is read again, whatever was typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), goodName, fc.domain()), (typed) => {
        const name = parseDomainName(typed, own)
        if (isNameFault(name)) return
        expect(parseDomainName(name.domain, own)).toEqual(name)
        expect(name.domain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
        expect(name.domain.length).toBeLessThanOrEqual(longestDomain)
        expect(parseDomainName(shownDomain(name.domain), own)).toEqual(name)
        expect(parseDomainName(`${name.domain.toUpperCase()}.`, own)).toEqual(name)
      }),
      { numRuns: 2000 },
    )
  })

  test('is below each of its parents, and shares what is registered with them', () => {
    fc.assert(
      fc.property(goodName, (domain) => {
        const parents = parentsOf(domain)
        expect(parents).toHaveLength(3)
        for (const parent of parents) expect(isBelow(domain, parent)).toBe(true)
        expect(isBelow(domain, domain)).toBe(false)
        expect(isBelow(`x${domain}`, domain)).toBe(false)
        expect(registrableOf(domain)).toBe('lagoon.example')
      }),
    )
  })
})

test.each([
  ['xn--bcher-kva.example', 'bücher.example'],
  ['xn--r8jz45g.jp', '例え.jp'],
  ['lagoon.example', 'lagoon.example'],
  // Latin letters with a Cyrillic one among them.
  ['xn--pple-43d.example', 'xn--pple-43d.example'],
])('%s is shown as %s', (domain, shown) => {
  expect(shownDomain(domain)).toBe(shown)
})

describe('the TXT record', () => {
  test('stands beside the delegation, at an apex below it', () => {
    const [beside, below] = txtNames({ domain: 'cloud.lagoon.example', isApex: false })
    expect(beside).toMatch(/^_atoll-[0-9a-f]{8}\.lagoon\.example$/)
    expect(below).toMatch(/^_atoll-[0-9a-f]{8}\.cloud\.lagoon\.example$/)
    expect(txtNames({ domain: 'lagoon.example', isApex: true })).toEqual([
      expect.stringMatching(/^_atoll-[0-9a-f]{8}\.lagoon\.example$/),
    ])
  })

  test('says a word of its own for each claim', () => {
    const values = Array.from({ length: 100 }, () => txtValue(newTxtToken()))
    expect(new Set(values).size).toBe(100)
    for (const value of values) expect(value).toMatch(/^atoll-verify=[a-z2-7]{26}$/)
  })
})
