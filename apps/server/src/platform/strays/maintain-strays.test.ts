import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { decideStray } from './maintain-strays.ts'

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

/** Files that ask a driver what is at its place, and what they do with it. */
const askers: Readonly<Record<string, string>> = {
  'clusters/sweep/sweep.ts': 'gives it to stray-sweep.ts',
  'compute/provider/bounded-provider.ts': 'passes the call on to a driver',
  'dns/powerdns/zone-sources.ts': 'compares serials; zone-strays.ts asks by it',
  'vault/maintenance/reindex.ts': 'makes rows, and removes nothing',
  'vault/maintenance/vault-strays.ts': 'compares it with rows',
  'vault/records/file-removal.ts': 'looks for one config before it removes keys that have rows',
}

it('no other mechanism than this one is given what a driver finds and no row names', () => {
  const modules = fileURLToPath(new URL('../../modules', import.meta.url))
  const files = globSync('**/*.ts', { cwd: modules }).filter(
    (file) => !/\.(test|fixture)\.ts$|\/testing\/|\/drivers\//.test(file),
  )
  const read = (file: string) => readFileSync(join(modules, file), 'utf8')
  const asks = /\bprovider\.list\(|\.listOwnZones\(|\bdriver\.(listRepositories|listNames)\(/
  expect(files.filter((file) => asks.test(read(file))).sort()).toEqual(Object.keys(askers))
  const handing = ['clusters/sweep/stray-sweep.ts', 'dns/powerdns/zone-strays.ts', 'vault/maintenance/vault-strays.ts']
  expect(files.filter((file) => /\bmaintainStrays\(/.test(read(file))).sort()).toEqual(handing)
})
