/** The catalogue where changes are applied on request: one in the database for every process. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { type Log, silentLog } from '../../platform/log.ts'
import { insertApplied } from './applied-store.ts'
import { applyCatalog, compareCatalog, readCatalogInUse } from './apply-catalog.ts'
import { readCatalogText } from './catalog-file.ts'
import { openCatalog } from './live-catalog.ts'
import { planLimits } from './region-limits.ts'

const shipped = readFileSync(fileURLToPath(new URL('../../../../../catalog.yaml', import.meta.url)), 'utf8')
const withScript = shipped.replace('steps: [prepare,', 'script: install.sh\n    steps: [script, prepare,')

const harness = useDatabase()
let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-catalog-'))
  file = join(folder, 'catalog.yaml')
  writeFileSync(file, withScript)
  writeFileSync(join(folder, 'install.sh'), 'echo one\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = () => openCatalog({ file, log: silentLog, applied: { db: harness.db, clock: systemClock } })
const titleOf = ({ clouds }: { clouds: { offerings: { title: Record<string, string> }[] }[] }) =>
  clouds[0]?.offerings[0]?.title['en-US']

test('a changed file counts when what was shown of it is applied, in every process and with its scripts', async () => {
  const one = await open()
  const other = await open()
  writeFileSync(file, withScript.replace('title: Tide 2', 'title: Ebb 2'))
  writeFileSync(join(folder, 'install.sh'), 'echo two\n')
  one.look()
  const next = await readCatalogText(file)
  const change = await compareCatalog(harness.db, next)
  expect(change.difference).toMatch(/^- {9}title: Tide 2$/m)
  expect(change.difference).toMatch(/^\+ {9}title: Ebb 2$/m)
  expect(change.difference).toMatch(/^- echo one$/m)
  const apply = (from: string) =>
    harness.db.transaction().execute((trx) => applyCatalog(trx, next, { from, at: systemClock.now(), by: null }))
  await apply(change.from)
  // It was made of what is not in use any more.
  await expect(apply(change.from)).rejects.toThrow('changed')
  expect((await compareCatalog(harness.db, next)).difference).toBe('')
  for (const live of [one, other]) {
    expect(titleOf(live.current())).toBe('Tide 2')
    live.look()
    await until('it is taken', () => titleOf(live.current()) === 'Ebb 2')
    expect(live.current().versions[0]).toMatchObject({ script: 'echo two\n' })
    await live.stop()
  }
  // A host whose file is another, or is not there, uses the same.
  rmSync(file)
  const third = await open()
  expect(titleOf(third.current())).toBe('Ebb 2')
  await third.stop()
  expect(titleOf(await readCatalogInUse(harness.db, { catalogFile: file, catalogApply: 'asked' }))).toBe('Ebb 2')
})

test('one that is not to be read any more is replaced by another, and one that could not be read at once is later', async () => {
  const failed: unknown[] = []
  const log: Log = Object.create(silentLog, { error: { value: (facts: unknown) => failed.push(facts) } })
  const live = await openCatalog({ file, log, applied: { db: harness.db, clock: systemClock } })
  const before = titleOf(live.current())
  // As a stricter program finds what an older one applied.
  await sql`update applied_catalogs set text = 'clouds: ['`.execute(harness.db)
  writeFileSync(file, withScript.replace('title: Tide 2', 'title: Spring 2'))
  const next = await readCatalogText(file)
  const { from } = await compareCatalog(harness.db, next)
  const how = { from, at: systemClock.now(), by: null }
  const { before: old } = await harness.db.transaction().execute((trx) => applyCatalog(trx, next, how))
  expect(old).toBeUndefined()
  const { scripts } = await harness.db
    .selectFrom('applied_catalogs')
    .select('scripts')
    .orderBy('number', 'desc')
    .executeTakeFirstOrThrow()
  const set = (text: string) => sql`update applied_catalogs set scripts = ${text}`.execute(harness.db)
  await set('not whole')
  live.look()
  await until('it was not read', () => failed.length > 0)
  expect(titleOf(live.current())).toBe(before)
  await set(scripts)
  live.look()
  await until('it is taken', () => titleOf(live.current()) === 'Spring 2')
  await live.stop()
})

test('limits of a region that shares them with another in the text change for neither', async () => {
  const region = (id: string, limits: string) =>
    `      - { regionId: ${id}, title: { en-US: B, zh-CN: B }, place: { en-US: B, zh-CN: B }, overcommit: ${limits} }\n`
  const shared = shipped.replace(
    / +- regionId: bay\n(?: {8}.*\n)+/,
    region('bay', '&all { cpu: 4, memory: 1, disk: 1.5 }') + region('cove', '*all'),
  )
  const by = { at: systemClock.now(), by: null }
  await harness.db.transaction().execute((trx) => insertApplied(trx, { text: shared, scripts: {} }, by))
  const plan = async (regionId: string) =>
    await planLimits(harness.db, { cloudName: 'bay', regionId, factors: { cpu: 8, memory: 2, disk: 3 } })
  await expect(plan('bay')).rejects.toMatchObject({ key: 'limitsShared' })
  // The one that only names them has its own from now on.
  const { change } = await plan('cove')
  expect(change.difference).toMatch(/^\+ .*cove.*cpu: 8, memory: 2, disk: 3/m)
})
