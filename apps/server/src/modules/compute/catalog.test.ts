import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { CatalogError, parseCatalog } from './catalog.ts'

const shipped = readFileSync(fileURLToPath(new URL('../../../../../catalog.yaml', import.meta.url)), 'utf8')

function mistakesOf(text: string): string[] {
  try {
    parseCatalog(text, 'catalog.yaml')
  } catch (error) {
    if (error instanceof CatalogError) return error.message.split('\n')
    throw error
  }
  return []
}

/** The line on which `part` stands in the shipped catalogue. */
function lineOf(part: string): number {
  return shipped.slice(0, shipped.indexOf(part)).split('\n').length
}

describe('the catalogue', () => {
  test('as shipped has one cloud, three free offerings and steps', () => {
    const catalog = parseCatalog(shipped, 'catalog.yaml')
    expect(catalog.clouds.map((cloud) => [cloud.title['en-US'], cloud.driver])).toEqual([['This machine', 'process']])
    expect(catalog.clouds[0]?.offerings.map((offering) => offering.price.amount)).toEqual([0, 0, 0])
    expect(catalog.versions[0]?.steps).toEqual(['prepare', 'fetch', 'services', 'network', 'handover'])
  })

  test('tells a wrong value with its line and key', () => {
    expect(mistakesOf(shipped.replace('driver: process', 'driver: cloud9'))).toEqual([
      expect.stringContaining(`catalog.yaml:${lineOf('driver: process')}: clouds[0].driver: `),
    ])
  })

  test('tells an unknown key, a missing key and a price that cannot be charged, all at once', () => {
    const text = shipped
      .replace('diskMiB: 40960', 'diskMB: 40960')
      .replace('price: { amount: 0, currency: usd }', 'price: { amount: 720, currency: usd }')
    const mistakes = mistakesOf(text)
    expect(mistakes).toContainEqual(expect.stringMatching(/clouds\[0\]\.offerings\[0\]\.diskMB: /))
    expect(mistakes).toContainEqual(expect.stringMatching(/clouds\[0\]\.offerings\[0\]\.diskMiB: is missing$/))
    expect(mistakes).toContainEqual(
      expect.stringMatching(new RegExp(`^catalog\\.yaml:${lineOf('price:')}: .*price\\.amount: must be 0`)),
    )
  })

  test('says in words that a price is no whole number, and that there is none', () => {
    const price = 'price: { amount: 0, currency: usd }'
    const told = (instead: string) => mistakesOf(shipped.replace(price, instead))
    expect(told('price: { amount: 1.5, currency: usd }')).toEqual([
      expect.stringMatching(/amount: must be whole cents$/),
    ])
    expect(told('price: { currency: usd }')).toEqual([expect.stringMatching(/amount: is missing$/)])
    expect(told('free: true')).toContainEqual(expect.stringMatching(/offerings\[0\]\.price: is missing$/))
  })

  test('tells a name used twice and a region that does not exist', () => {
    const text = shipped
      .replace('name: tide-4', 'name: tide-2')
      .replace('title: Tide 8', 'title: Tide 8\n        soldOutIn: [moon]')
    const mistakes = mistakesOf(text)
    expect(mistakes).toContainEqual(expect.stringMatching(/offerings\[1\]\.name: "tide-2" is used twice$/))
    expect(mistakes).toContainEqual(expect.stringMatching(/soldOutIn: "moon" is not a region of this cloud$/))
  })

  test('takes one text for both languages, or one for each; a language that is missing is told', () => {
    const catalog = parseCatalog(shipped, 'catalog.yaml')
    expect(catalog.clouds[0]?.title).toEqual({ 'en-US': 'This machine', 'zh-CN': '本机' })
    expect(catalog.versions[0]?.title).toEqual({ 'en-US': 'Atoll 1.0.0', 'zh-CN': 'Atoll 1.0.0' })
    const title = 'title: { en-US: This machine, zh-CN: 本机 }'
    expect(mistakesOf(shipped.replace(title, 'title: { en-US: This machine }'))).toEqual([
      expect.stringContaining(`catalog.yaml:${lineOf(title)}: clouds[0].title.zh-CN: `),
    ])
  })

  test('takes an LXD with what it needs, and tells what is missing or does not belong', () => {
    const lxd = 'lxd: { endpoints: [/var/lib/lxd/unix.socket], network: lxdbr0 }'
    const withLxd = (settings: string) => shipped.replace('driver: process', `driver: lxd\n    ${settings}`)
    expect(parseCatalog(withLxd(lxd), 'catalog.yaml').clouds[0]).toMatchObject({
      driver: 'lxd',
      lxd: { endpoints: ['/var/lib/lxd/unix.socket'], network: 'lxdbr0', project: 'atoll', pool: 'default' },
    })
    const line = lineOf('driver: process')
    expect(mistakesOf(shipped.replace('driver: process', 'driver: lxd'))).toEqual([
      expect.stringMatching(/clouds\[0\]\.lxd: is needed for the driver lxd$/),
    ])
    expect(mistakesOf(withLxd('lxd: { endpoints: [lxd.example], network: lxdbr0 }'))).toEqual([
      expect.stringMatching(new RegExp(`^catalog\\.yaml:${line + 1}: .*endpoints\\[0\\]: must be the absolute path`)),
    ])
    expect(mistakesOf(withLxd('lxd: { endpoints: ["https://10.0.0.1:8443"], network: a, bridge: b }'))).toEqual([
      expect.stringMatching(/lxd\.network: exactly one/),
      expect.stringMatching(/lxd\.clientCert: is needed/),
      expect.stringMatching(/lxd\.clientKey: is needed/),
      expect.stringMatching(/lxd\.serverCert: is needed/),
    ])
    const members = shipped.replace('- regionId: local', '- regionId: local\n        members: [n1]')
    expect(mistakesOf(members)).toEqual([expect.stringMatching(/regions\[0\]\.members: is only for the driver lxd$/)])
  })

  test('tells YAML that does not parse with its line', () => {
    expect(mistakesOf('clouds:\n  - cloudName: [local\nversions: []\n')[0]).toMatch(/^catalog\.yaml:\d+: /)
  })

  test('tells an alias that names nothing with its line, and aliases without end', () => {
    expect(mistakesOf(shipped.replace('driver: process', 'driver: *proces'))).toEqual([
      `catalog.yaml:${lineOf('driver: process')}: *proces names nothing above it`,
    ])
    const nine = (name: string) => `[${Array(9).fill(name).join(', ')}]`
    const growing = [
      `a: &a ${nine('x')}`,
      ...[...'bcdef'].map((key, at) => `${key}: &${key} ${nine(`*${'abcde'[at]}`)}`),
    ]
    expect(mistakesOf(growing.join('\n'))).toEqual([expect.stringMatching(/^catalog\.yaml: .*alias/)])
  })

  test('of a file that is something else it tells the first mistakes', () => {
    const mistakes = mistakesOf('}]:\n'.repeat(500))
    expect(mistakes).toHaveLength(51)
    expect(mistakes.at(-1)).toMatch(/^and \d+ more$/)
  })

  test('an empty file is a mistake, not a crash', () => {
    expect(mistakesOf('')).toEqual([expect.stringMatching(/^catalog\.yaml:1: /)])
  })
})
