import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { CatalogError, parseCatalog } from './catalog-file.ts'

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
  test('as shipped has a free cloud, a paid one, the plans and steps', () => {
    const catalog = parseCatalog(shipped, 'catalog.yaml')
    expect(
      catalog.clouds.map(({ cloudName, driver, offerings }) => [
        ...[cloudName, driver],
        offerings.map(({ name, price }) => [name, price.usd, price.cny]),
      ]),
    ).toEqual([
      ['local', 'process', [2, 4, 8].map((size) => [`tide-${size}`, 0, 0])],
      [
        ...['bay', 'process'],
        [
          ['bay-2', 720, 4900],
          ['bay-4', 1440, 9900],
          ['bay-8', 2880, 19800],
        ],
      ],
    ])
    expect(catalog.plans.map(({ level, price, quotas }) => [level, price?.usd, quotas.vCpu])).toEqual([
      [0, undefined, undefined],
      [1, 300, 16],
      [2, 900, 32],
      [3, 2900, 64],
    ])
    expect(catalog.plans[3]?.overage.cloud_traffic).toEqual({ usd: '0.015', cny: '0.10' })
    expect(catalog.versions[0]?.steps).toEqual(['prepare', 'fetch', 'services', 'network', 'handover'])
  })

  test('has versions that are still being tested, where it says so', () => {
    const tested = (text: string) => parseCatalog(text, 'catalog.yaml').versions.map(({ beta }) => beta ?? false)
    expect(tested(shipped)).toEqual([false])
    expect(tested(shipped.replace('recommended: true', 'beta: true'))).toEqual([true])
  })

  test('reports a wrong value with its line and key', () => {
    expect(mistakesOf(shipped.replace('driver: process', 'driver: cloud9'))).toEqual([
      expect.stringContaining(`catalog.yaml:${lineOf('driver: process')}: clouds[0].driver: `),
    ])
  })

  test('reports an unknown key, a missing key and a price below nothing, all at once', () => {
    const text = shipped
      .replace('diskMiB: 40960', 'diskMB: 40960')
      .replace('price: { usd: 0, cny: 0 }', 'price: { usd: -1 }')
    const mistakes = mistakesOf(text)
    expect(mistakes).toContainEqual(expect.stringMatching(/clouds\[0\]\.offerings\[0\]\.diskMB: /))
    expect(mistakes).toContainEqual(expect.stringMatching(/clouds\[0\]\.offerings\[0\]\.diskMiB: is missing$/))
    expect(mistakes).toContainEqual(
      expect.stringMatching(new RegExp(`^catalog\\.yaml:${lineOf('price:')}: .*price\\.usd: `)),
    )
  })

  test('says in words that a price is no whole number, and that there is none', () => {
    const price = 'price: { usd: 0, cny: 0 }'
    const mistakesWith = (instead: string) => mistakesOf(shipped.replace(price, instead))
    expect(mistakesWith('price: { amount: 1.5, currency: usd }')).toEqual([
      expect.stringMatching(/amount: must be whole cents or fen$/),
    ])
    expect(mistakesWith('price: { currency: usd }')).toEqual([expect.stringMatching(/amount: is missing$/)])
    expect(mistakesWith('price: { usd: 7.2 }')).toEqual([
      expect.stringMatching(/price\.usd: must be whole cents or fen$/),
    ])
    expect(mistakesWith('price: {}')).toEqual([expect.stringMatching(/price: must name a currency: usd, cny$/)])
    expect(mistakesWith('price: { usd: 0, amount: 0 }')).toEqual([
      expect.stringMatching(/amount: does not stand beside/),
    ])
    expect(mistakesWith('price: { eur: 100 }')).toContainEqual(expect.stringMatching(/price\.eur: /))
    expect(mistakesWith('free: true')).toContainEqual(expect.stringMatching(/offerings\[0\]\.price: is missing$/))
  })

  test('reads the older form of a price; nothing is nothing in every currency', () => {
    const priceOf = (text: string) =>
      parseCatalog(shipped.replace('{ usd: 0, cny: 0 }', text), 'catalog.yaml').clouds[0]?.offerings[0]?.price
    expect(priceOf('{ amount: 720, currency: usd }')).toEqual({ usd: 720 })
    expect(priceOf('{ amount: 0, currency: usd }')).toEqual({ usd: 0, cny: 0 })
  })

  test.each([
    ['level: 3', 'level: 2', 'plans[3].level: "2" is used twice'],
    ['level: 3', 'level: 4', 'plans[3].level: '],
    ['price: { usd: 2900, cny: 19800 }', 'title: Pro', 'plans[3].price: is missing'],
    ['usd: "0.015"', 'usd: 0.015', 'plans[3].overage.cloud_traffic.usd: must be text in quotes, such as "0.02"'],
    ['usd: "0.015"', 'usd: "-1"', 'plans[3].overage.cloud_traffic.usd: must be an amount such as "0.02"'],
    ['      cdn_traffic: { usd: "0.02"', '      cnd_traffic: { usd: "0.02"', 'plans[3].overage.cnd_traffic: '],
    ['vCpu: 64, storageGB: 1000', 'vCpu: 64', 'plans[3].quotas.storageGB: is missing'],
  ])('of plans, %s as %s is a mistake', (good, bad, mistake) => {
    expect(shipped).toContain(good)
    const mistakes = mistakesOf(shipped.replace(good, bad))
    const line = lineOf(good)
    expect(mistakes).toContainEqual(expect.stringContaining(mistake))
    // A missing key is reported at the line of its parent, or above it.
    expect(mistakes.every((mistake) => Number(/:(\d+):/.exec(mistake)?.[1]) <= line)).toBe(true)
  })

  const couponsOf = (coupon: string) => `${shipped}\ncoupons:\n  - { ${coupon} }\n`

  test('takes coupons', () => {
    const parse = (coupon: string) => parseCatalog(couponsOf(coupon), 'catalog.yaml').coupons[0]
    expect(
      parse('code: REEF10, percentOff: 10, duration: forever, appliesTo: [instance], redeemBy: 2027-01-01'),
    ).toEqual({
      code: 'REEF10',
      percentOff: 10,
      duration: 'forever',
      appliesTo: ['instance'],
      redeemBy: '2027-01-01',
    })
    expect(parse('code: FIRST5, amountOff: { usd: 500 }, duration: once')).toMatchObject({
      amountOff: { usd: 500 },
      appliesTo: ['instance', 'plan', 'usage'],
    })
  })

  test.each([
    ['code: REEF10, duration: once', 'percentOff: exactly one of'],
    ['code: REEF10, percentOff: 10, amountOff: { usd: 1 }, duration: once', 'percentOff: exactly one of'],
    ['code: REEF10, percentOff: 101, duration: once', 'percentOff: '],
    ['code: REEF10, amountOff: { usd: 0 }, duration: once', 'amountOff.usd: must be above 0'],
    ['code: REEF10, amountOff: {}, duration: once', 'amountOff: must name a currency'],
    ['code: reef10, percentOff: 10, duration: once', 'code: must be capital letters'],
    ['code: REEF10, percentOff: 10, duration: repeating', 'months: is needed'],
    ['code: REEF10, percentOff: 10, duration: once, months: 3', 'months: is only for'],
    ['code: REEF10, percentOff: 10, duration: always', 'duration: '],
    ['code: REEF10, percentOff: 10, duration: once, redeemBy: soon', 'redeemBy: must be a day'],
    ['code: REEF10, percentOff: 10, duration: once, appliesTo: []', 'appliesTo: '],
    ['code: REEF10, percentOff: 10, duration: once, maxRedemptions: 0', 'maxRedemptions: '],
  ])('a coupon of { %s } is a mistake', (coupon, mistake) => {
    expect(mistakesOf(couponsOf(coupon))).toEqual([expect.stringContaining(`: coupons[0].${mistake}`)])
  })

  test('reports a name used twice and a region that does not exist', () => {
    const text = shipped
      .replace('name: tide-4', 'name: tide-2')
      .replace('title: Tide 8', 'title: Tide 8\n        soldOutIn: [moon]')
    const mistakes = mistakesOf(text)
    expect(mistakes).toContainEqual(expect.stringMatching(/offerings\[1\]\.name: "tide-2" is used twice$/))
    expect(mistakes).toContainEqual(expect.stringMatching(/soldOutIn: "moon" is not a region of this cloud$/))
  })

  test('takes one text for both languages, or one for each; a missing language is reported', () => {
    const catalog = parseCatalog(shipped, 'catalog.yaml')
    expect(catalog.clouds[0]?.title).toEqual({ 'en-US': 'This machine', 'zh-CN': '本机' })
    expect(catalog.versions[0]?.title).toEqual({ 'en-US': 'Atoll 1.0.0', 'zh-CN': 'Atoll 1.0.0' })
    const title = 'title: { en-US: This machine, zh-CN: 本机 }'
    expect(mistakesOf(shipped.replace(title, 'title: { en-US: This machine }'))).toEqual([
      expect.stringContaining(`catalog.yaml:${lineOf(title)}: clouds[0].title.zh-CN: `),
    ])
  })

  test('takes an LXD with what it needs, and reports what is missing or does not belong', () => {
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
    const mailing = (networks: string) => withLxd(`lxd: { endpoints: [/lxd.socket], ${networks} }`)
    expect(mistakesOf(mailing('network: a, mailNetwork: a'))).toEqual([
      expect.stringMatching(/mailNetwork: must be another/),
    ])
    expect(mistakesOf(mailing('bridge: a, mailNetwork: b'))).toEqual([expect.stringMatching(/mailNetwork: is beside/)])
    expect(mistakesOf(withLxd('lxd: { endpoints: ["https://10.0.0.1:8443"], network: a, bridge: b }'))).toEqual([
      expect.stringMatching(/lxd\.network: exactly one/),
      expect.stringMatching(/lxd\.clientCert: is needed/),
      expect.stringMatching(/lxd\.clientKey: is needed/),
      expect.stringMatching(/lxd\.serverCert: is needed/),
    ])
    const members = shipped.replace('- regionId: local', '- regionId: local\n        members: [n1]')
    expect(mistakesOf(members)).toEqual([expect.stringMatching(/regions\[0\]\.members: is only for the driver lxd$/)])
  })

  test('reports YAML that does not parse with its line', () => {
    expect(mistakesOf('clouds:\n  - cloudName: [local\nversions: []\n')[0]).toMatch(/^catalog\.yaml:\d+: /)
  })

  test('reports an alias that names nothing with its line, and aliases without end', () => {
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

  test('reports the first mistakes of a file that is something else', () => {
    const mistakes = mistakesOf('}]:\n'.repeat(500))
    expect(mistakes).toHaveLength(51)
    expect(mistakes.at(-1)).toMatch(/^and \d+ more$/)
  })

  test('an empty file is a mistake, not a crash', () => {
    expect(mistakesOf('')).toEqual([expect.stringMatching(/^catalog\.yaml:1: /)])
  })
})
