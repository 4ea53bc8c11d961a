import { expect, it } from 'vitest'
import { findClimbing } from './layers.ts'

const lagoon = 'apps/server/src/modules/lagoon'
const importing = (file: string, target: string) => ({ file: `${lagoon}/${file}`, target: `${lagoon}/${target}` })
const orders = { [lagoon]: '. < store < rules | mails < routes' }
const whole = [
  importing('tables.ts', 'zod'),
  importing('store/pearls.ts', 'tables.ts'),
  importing('rules/worth.ts', 'store/pearls.ts'),
  importing('mails/sold.ts', 'store/pearls.ts'),
  importing('routes/sell.ts', 'rules/worth.ts'),
]

it('lets a folder import those before it', () => {
  expect(findClimbing(whole, orders)).toEqual([])
})

it.each([
  ['a folder after it', 'store/pearls.ts', 'routes/sell.ts'],
  ['a folder of the same layer', 'rules/worth.ts', 'mails/sold.ts'],
  ['a folder above the files of the root', 'tables.ts', 'store/pearls.ts'],
])('refuses an import of %s', (_what, file, target) => {
  expect(findClimbing([...whole, importing(file, target)], orders)).toEqual([
    `${lagoon}/${file}: "${lagoon}/${target}" climbs in ${orders[lagoon]}`,
  ])
})

it('lets index.ts, settings.ts and tests import every folder', () => {
  const others = [
    importing('index.ts', 'routes/sell.ts'),
    importing('store/pearls.ts', 'settings.ts'),
    importing('store/pearls.test.ts', 'routes/sell.ts'),
  ]
  expect(findClimbing([...whole, ...others], orders)).toEqual([])
})

it.each([
  ['data', 'kit', 'data/presses.ts', 'kit/toast/ToastStack.tsx'],
  ['session', 'kit', 'session/account-label.ts', 'kit/format/money.ts'],
  ['locales', 'session', 'locales/text.ts', 'session/account-store.ts'],
  ['backups', 'clusters', 'backups/list/BackupsPage.tsx', 'clusters/use-clusters.ts'],
  ['home', 'app', 'home/HomePage.tsx', 'app/places/destinations.ts'],
])('has %s below %s in the console', (_lower, _upper, lower, upper) => {
  const console = 'apps/console/src'
  const climbing = (file: string, target: string) =>
    findClimbing([{ file: `${console}/${file}`, target: `${console}/${target}` }]).filter((line) => /climbs/.test(line))
  expect(climbing(lower, upper)).toEqual([expect.stringContaining(`${console}/${lower}: "${console}/${upper}" climbs`)])
  expect(climbing(upper, lower)).toEqual([])
})

it('names a folder that the order lacks, one that is not there, and a module without an order', () => {
  expect(findClimbing(whole, { [lagoon]: '. < store < rules | mails' })).toContain(`${lagoon}: its order lacks routes`)
  expect(findClimbing(whole, { [lagoon]: `${orders[lagoon]} < jobs` })).toEqual([`${lagoon}: jobs is not there`])
  expect(findClimbing(whole, {})).toEqual([`${lagoon}: scripts/checks/layers.ts names no order of its folders`])
})

it('wants an order at every depth, of the agent and the console too', () => {
  const deeper = [...whole, importing('rules/worth/carat.ts', 'zod')]
  expect(findClimbing(deeper, orders)).toEqual([
    `${lagoon}/rules: scripts/checks/layers.ts names no order of its folders`,
  ])
  expect(findClimbing(deeper, { ...orders, [`${lagoon}/rules`]: 'worth < .' })).toEqual([])
  const front = ['apps/console/src/kit/a.ts', 'apps/console/src/app/a.ts', 'apps/agent/src/link/a.ts']
  expect(
    findClimbing(
      front.map((file) => ({ file, target: 'zod' })),
      {},
    ),
  ).toEqual(['apps/console/src: scripts/checks/layers.ts names no order of its folders'])
})

it('refuses an import between folders that an order does not name, where it has a layer for all of them', () => {
  const all = { [lagoon]: '*' }
  const apart = whole.filter(({ target }) => target === 'zod')
  expect(findClimbing(apart, all)).toEqual([])
  expect(findClimbing([...apart, importing('mails/sold.ts', 'rules/worth.ts')], all)).toEqual([
    `${lagoon}/mails/sold.ts: "${lagoon}/rules/worth.ts" climbs in *`,
  ])
})
