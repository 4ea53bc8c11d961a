import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { decideStray } from './tend-strays.ts'

const found = { doomed: false, stopped_at: null }

it.each([
  ['is stopped first', found, { isHeld: false, isDue: false, canStop: true }, 'stop'],
  ['is stopped once', { ...found, stopped_at: new Date() }, { isHeld: false, isDue: false, canStop: true }, 'list'],
  ['is only listed where it cannot be stopped', found, { isHeld: false, isDue: false, canStop: false }, 'list'],
  ['is removed after the days', found, { isHeld: false, isDue: true, canStop: true }, 'remove'],
  ['is only listed while careful, however old', found, { isHeld: true, isDue: true, canStop: true }, 'list'],
  [
    'is removed at the operator’s word',
    { ...found, doomed: true },
    { isHeld: true, isDue: false, canStop: true },
    'remove',
  ],
] as const)('a stray %s', (_, row, facts, step) => {
  expect(decideStray(row, facts)).toBe(step)
})

/**
 * Calls that remove objects at a driver, and the files that may make them. Code that lists objects and removes those
 * that no row names does so through `tendStrays`; the others remove objects that a row says are to go.
 */
const removals: Record<string, RegExp> = {
  // An instance that its cluster gave up, and the reconciler's own calls.
  'provider.destroy(': /^modules\/(clusters\/(sweep\/stray-sweep|reconcile\/provider-calls)|compute\/)/,
  // A zone whose row was removed here.
  'server.removeZone(': /^modules\/dns\/powerdns\//,
}
/** The same of the vault's driver, which others than the vault call `driver` as well. */
const vaultRemovals = /\bdriver\.(remove|removeUploads|dropRepository)\(/
const removesInVault = new Set([
  // Files that a row marks for removal, after the wait that it states.
  'modules/vault/records/file-removal.ts',
  // Remains of uploads, ten minutes later: never a file of a repository. Not while careful.
  'modules/vault/tend/sweep.ts',
  // Objects that no row names.
  'modules/vault/tend/vault-strays.ts',
])

/** The files that ask a driver what it has of this deployment; each has to go through the one mechanism. */
const listings = [/provider\.list\(/, /listOwnZones\(\)/, /driver\.listRepositories\(\)/, /driver\.listNames\(/]

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\/|\.fixture\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(`${root}/${file}`, 'utf8') }))

it('is taken away in one place: nobody else removes what a driver lists', () => {
  const wrong = Object.entries(removals).flatMap(([call, allowed]) =>
    sources
      .filter(({ file, text }) => text.includes(call) && !allowed.test(file))
      .map(({ file }) => `${file}: ${call}`),
  )
  expect(wrong).toEqual([])
  const inVault = sources.filter(({ file, text }) => file.startsWith('modules/vault/') && vaultRemovals.test(text))
  expect(inVault.map(({ file }) => file).filter((file) => !removesInVault.has(file))).toEqual([])
  // Certificates are nowhere but in rows, and none is taken back at its authority: there is nothing outside to sweep.
  const authority = readFileSync(`${root}/modules/certificates/acme/ca.ts`, 'utf8')
  expect(authority).toContain('interface Ca ')
  expect(authority).not.toMatch(/\b(list|revoke|remove|delete)\w*\(/)
  const sweepers = sources.filter(({ text }) => listings.some((call) => call.test(text)))
  expect(sweepers.length).toBeGreaterThan(1)
  // Serials of zones are also compared, and rows made of what a vault has, which removes nothing.
  const asking = /^modules\/compute\/|powerdns-client|powerdns\/zone-sources|vault\/tend\/reindex/
  const around = sweepers.filter(({ file, text }) => !asking.test(file) && !/tendStrays|sweepStrays/.test(text))
  expect(around.map(({ file }) => file)).toEqual([])
  // The table of strays is written by the mechanism alone.
  const writers = sources.filter(
    ({ file, text }) =>
      /(insertInto|updateTable|deleteFrom)\('strays'\)/.test(text) && !file.startsWith('platform/strays/'),
  )
  expect(writers.map(({ file }) => file)).toEqual([])
})
