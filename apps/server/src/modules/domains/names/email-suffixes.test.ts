import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSuffixes } from './email-suffixes.ts'

describe('email suffixes', () => {
  test.each([
    ['lagoon.example', ['lagoon.example']],
    ['@lagoon.example, reef.example', ['lagoon.example', 'reef.example']],
    [' @Lagoon.Example ,, lagoon.example，reef.example\n', ['lagoon.example', 'reef.example']],
    ['bücher.example', ['xn--bcher-kva.example']],
    // Under the name of a provider, but not its mailboxes.
    ['team.gmail.com yahoo.lagoon.example', ['team.gmail.com', 'yahoo.lagoon.example']],
  ])('are read from %j as %j', (text, suffixes) => {
    expect(parseSuffixes(text)).toEqual({ suffixes })
  })

  test.each([
    ['', 'suffixMissing'],
    [' , @ ', 'suffixMissing'],
    ['com', 'suffixPublic'],
    ['lagoon.example, co.uk', 'suffixPublic'],
    ['gmail.com', 'suffixPublic'],
    ['lagoon.example, @Hotmail.FR', 'suffixPublic'],
    ['yahoo.co.jp', 'suffixPublic'],
    ['qq.com', 'suffixPublic'],
    ['me@lagoon.example', 'suffixMalformed'],
    ['*.lagoon.example', 'suffixMalformed'],
    [Array.from({ length: 21 }, (_, index) => `a${index}.example`).join(), 'suffixTooMany'],
  ])('%j is refused: %s', (text, fault) => {
    expect(parseSuffixes(text)).toMatchObject({ fault })
  })

  test('are found whatever stands between them', () => {
    const suffix = fc.stringMatching(/^[a-z]{1,8}$/).map((label) => `${label}.example`)
    const between = fc.constantFrom(',', ', ', ' ,@', '，', '\n@', ',,', ' ')
    fc.assert(
      fc.property(fc.array(fc.tuple(suffix, between), { minLength: 1, maxLength: 20 }), (parts) => {
        const read = parseSuffixes(parts.flat().join(''))
        expect(read).toEqual({ suffixes: [...new Set(parts.map(([one]) => one))] })
        if ('suffixes' in read) expect(parseSuffixes(read.suffixes.join())).toEqual(read)
      }),
    )
  })
})
