import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '@atoll/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { CatalogError } from './catalog-file.ts'
import { type LiveCatalog, openCatalog } from './live-catalog.ts'

const shipped = readFileSync(fileURLToPath(new URL('../../../../../catalog.yaml', import.meta.url)), 'utf8')
const renamed = (title: string) => shipped.replace('title: Tide 2', `title: ${title}`)

let folder: string
let file: string
let lines: { level: string; mistake?: string; msg: string }[]
let live: LiveCatalog | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-catalog-'))
  file = join(folder, 'catalog.yaml')
  writeFileSync(file, shipped)
  lines = []
})
afterEach(async () => {
  await live?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function open(): Promise<LiveCatalog> {
  const log = createLog({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
  live = await openCatalog({ file, log, checkEveryMs: 10 })
  return live
}
const titleOf = (catalog: LiveCatalog) => catalog.current().clouds[0]?.offerings[0]?.title['en-US']

test.each([
  ['in place', (text: string) => writeFileSync(file, text)],
  [
    'by a rename over it, as editors do',
    (text: string) => {
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    },
  ],
  [
    'after it was away for a moment',
    (text: string) => {
      unlinkSync(file)
      writeFileSync(file, text)
    },
  ],
])('is read again when it is written %s', async (_, write) => {
  const catalog = await open()
  expect(titleOf(catalog)).toBe('Tide 2')
  write(renamed('Ebb 2'))
  await until('the new one is in use', () => titleOf(catalog) === 'Ebb 2')
  expect(catalog.problem()).toBeUndefined()
})

test('is read again when a link to it is switched', async () => {
  writeFileSync(join(folder, 'one.yaml'), shipped)
  writeFileSync(join(folder, 'two.yaml'), renamed('Ebb 2'))
  unlinkSync(file)
  symlinkSync('one.yaml', file)
  const catalog = await open()
  symlinkSync('two.yaml', `${file}.new`)
  renameSync(`${file}.new`, file)
  await until('the new one is in use', () => titleOf(catalog) === 'Ebb 2')
})

test('with a mistake is reported once, with line and key, and the last good one stays until it is mended', async () => {
  const catalog = await open()
  writeFileSync(file, renamed('Ebb 2').replace('cpuCoreCount: 4', 'cpuCoreCount: four'))
  const line = shipped.slice(0, shipped.indexOf('cpuCoreCount: 4')).split('\n').length
  await until('the mistake is reported', () => catalog.problem() !== undefined)
  expect(catalog.problem()).toMatch(
    new RegExp(`catalog\\.yaml:${line}: clouds\\[0\\]\\.offerings\\[1\\]\\.cpuCoreCount: `),
  )
  expect(titleOf(catalog)).toBe('Tide 2')
  expect(lines.filter(({ mistake }) => mistake?.includes(`catalog.yaml:${line}: `))).toHaveLength(1)
  writeFileSync(file, renamed('Ebb 2'))
  await until('the mended one is in use', () => titleOf(catalog) === 'Ebb 2')
  expect(catalog.problem()).toBeUndefined()
  expect(lines.filter(({ mistake }) => mistake)).toHaveLength(1)
})

test('that is taken away is reported, and the last good one stays', async () => {
  const catalog = await open()
  unlinkSync(file)
  await until('it is reported', () => catalog.problem()?.includes('cannot be read'))
  expect(titleOf(catalog)).toBe('Tide 2')
})

test('is not taken when it cannot be used, such as a driver that cannot be built', async () => {
  const catalog = await open()
  const used: unknown[] = []
  catalog.use(({ clouds }) => {
    const title = clouds[0]?.offerings[0]?.title['en-US']
    if (title === 'Ebb 2') throw new OperatorError('The cloud "local" cannot be reached.')
    used.push(title)
  })
  writeFileSync(file, renamed('Ebb 2'))
  await until('it is reported', () => catalog.problem() === 'The cloud "local" cannot be reached.')
  expect(titleOf(catalog)).toBe('Tide 2')
  writeFileSync(file, renamed('Ebb 3'))
  await until('the next one is in use', () => titleOf(catalog) === 'Ebb 3')
  expect(used).toEqual(['Tide 2', 'Ebb 3'])
})

test('says when something leaves it', async () => {
  const catalog = await open()
  writeFileSync(file, shipped.replace('version: 1.0.0', 'version: 2.0.0'))
  await until('the new one is in use', () => catalog.current().versions[0]?.version === '2.0.0')
  expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', versions: ['1.0.0'] }))
})

test('reads the script of a version with it; one that is missing or not run is a mistake', async () => {
  const withScript = shipped.replace('steps: [prepare,', 'script: install.sh\n    steps: [script, prepare,')
  writeFileSync(join(folder, 'install.sh'), 'echo hello\n')
  writeFileSync(file, withScript)
  expect((await open()).current().versions[0]).toMatchObject({ script: 'echo hello\n' })
  const mistakes = async (text: string) => {
    writeFileSync(file, text)
    return await openCatalog({ file, log: createLog({ level: 'silent' }) }).then(
      () => 'none',
      (error) => (error instanceof CatalogError ? error.message : Promise.reject(error)),
    )
  }
  expect(await mistakes(withScript.replace('script: install.sh', 'script: other.sh'))).toMatch(
    /catalog\.yaml:\d+: versions\[0\]\.script: .*other\.sh cannot be read/,
  )
  expect(await mistakes(shipped.replace('steps: [prepare,', 'steps: [script, prepare,'))).toMatch(/script: is needed/)
  expect(await mistakes(withScript.replace('[script, prepare,', '[prepare,'))).toMatch(/steps: lacks the step "script"/)
  expect(await mistakes(shipped.replace('image: agent', 'image: { lxd: agent }'))).toMatch(
    /image: has none for the driver process of the cloud "local"/,
  )
})
