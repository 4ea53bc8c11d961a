import { expect, test } from 'vitest'
import { parseCatalog } from '../../catalog/index.ts'
import { chooseOffering } from './choose-offering.ts'

const catalogOf = (offerings: string) =>
  parseCatalog(
    `
clouds:
  - cloudName: reef
    driver: process
    title: Reef
    regions: [{ regionId: a, title: A, place: A }, { regionId: b, title: B, place: B }]
    offerings:
${offerings}
versions:
  - { version: 1.0.0, title: One, summary: One, image: agent, steps: [prepare, handover] }
`,
    'catalog.yaml',
  )
const offering = (name: string, diskMiB: number, usd: number, soldOutIn = '') =>
  `      - { name: ${name}, title: X, cpuCoreCount: 1, memoryMiB: 512, diskMiB: ${diskMiB}, price: { usd: ${usd} }, soldOutIn: [${soldOutIn}] }`
const catalog = catalogOf(
  [
    offering('free', 1024, 0, 'a, b'),
    offering('dear', 8192, 900),
    offering('cheap', 8192, 500, 'a'),
    offering('small', 1024, 300),
  ].join('\n'),
)
const request = { size: 100e6, currency: 'usd', onlyFree: false } as const
const nameOf = (place: ReturnType<typeof chooseOffering>) =>
  typeof place === 'string' ? place : `${place.offering.name} in ${place.regionId}`

test('the cheapest that holds the files and is not sold out there is chosen', () => {
  expect(nameOf(chooseOffering(catalog, request))).toBe('small in a')
  expect(nameOf(chooseOffering(catalog, { ...request, size: 2e9 }))).toBe('cheap in b')
})

test('sold out is distinguished from not sold: too small, not free, or in another currency', () => {
  expect(chooseOffering(catalog, { ...request, onlyFree: true })).toBe('soldOut')
  expect(chooseOffering(catalog, { ...request, size: 2e9, onlyFree: true })).toBe('none')
  expect(chooseOffering(catalog, { ...request, size: 20e9 })).toBe('none')
  expect(chooseOffering(catalog, { ...request, currency: 'cny' })).toBe('none')
})
