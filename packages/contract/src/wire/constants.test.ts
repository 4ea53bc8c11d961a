import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as constants from './constants.ts'

describe('the constants of spec §9', () => {
  test('have their values', () => {
    expect(constants).toMatchObject({
      defaultLocale: 'en-US',
      locales: ['en-US', 'zh-CN'],
      toastTimeoutMs: 1000,
      identityTimeoutMs: 10_000,
      defaultRowsPerPage: 20,
      daysPerMonth: 30,
      shortenLength: 30,
      shortenMark: '...',
      minorUnitsPerUnit: 100,
      moneyDecimals: 2,
      currencySymbols: { usd: '$', cny: '¥' },
      unknownAmount: '-',
      monitorRanges: ['12h', '24h', '3d', '7d'],
      monitorRangeHours: { '12h': 12, '24h': 24, '3d': 3 * 24, '7d': 7 * 24 },
      defaultMonitorRange: '12h',
      accountListKey: 'cloud_aList',
      accountIndexKey: 'cloud_aIndex',
      syncCookieName: 'syncToken',
    })
  })

  test('and of the sign-in code have theirs', () => {
    expect(constants).toMatchObject({
      signInCodeLifetimeMs: 120_000,
      clockSkewMs: 30_000,
      signInPollMs: 3000,
      signInSecretHexLength: 32,
    })
  })

  test.each(['cloud_aList', 'cloud_aIndex', 'syncToken', '24h', '¥'])(
    '%s is written once in the whole source',
    (text) => {
      const root = fileURLToPath(new URL('../../../..', import.meta.url))
      const files = ['packages', 'apps'].flatMap((folder) => listSources(join(root, folder)))
      const literal = new RegExp(`['"]${text}['"]`)
      expect(
        files.filter((file) => literal.test(readFileSync(file, 'utf8'))).map((file) => file.slice(root.length)),
      ).toEqual(['packages/contract/src/wire/constants.ts'])
    },
  )
})

function listSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listSources(path)
    return /\.tsx?$/.test(entry.name) && !/\.(test|gen)\./.test(entry.name) ? [path] : []
  })
}

describe('shorten', () => {
  test.each([
    ['', ''],
    ['a'.repeat(30), 'a'.repeat(30)],
    ['a'.repeat(31), `${'a'.repeat(30)}...`],
  ])('makes %j into %j', (text, short) => expect(constants.shorten(text)).toBe(short))

  test('cuts at the given length, keeps the start, and leaves the short alone', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(40), (text, length) => {
        const short = constants.shorten(text, length)
        if (text.length <= length) expect(short).toBe(text)
        else expect(short).toBe(`${text.slice(0, length)}...`)
      }),
    )
  })
})

describe('isDisplayableName', () => {
  test.each(['reef@atoll.test', '@', 'a@', '@b'])('%s can be shown', (name) =>
    expect(constants.isDisplayableName(name)).toBe(true),
  )
  test.each(['', 'reef', 'reef.atoll.test', 'a@b@c', '@@', null, undefined])('%s cannot', (name) =>
    expect(constants.isDisplayableName(name)).toBe(false),
  )
})

describe('displayName', () => {
  const userid = 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2'
  test.each([
    ['reef@atoll.test', 'reef@atoll.test'],
    ['reef.atoll.test', 'did:key:z6MkvARmXmTXnwyJz9uXbz...'],
    [null, 'did:key:z6MkvARmXmTXnwyJz9uXbz...'],
  ])('of %s is %s', (terminusName, name) => expect(constants.displayName({ terminusName, userid })).toBe(name))
})
