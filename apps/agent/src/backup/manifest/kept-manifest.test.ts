import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renewManifest } from './kept-manifest.ts'
import { readManifest } from './read-manifest.ts'
import { stampTree } from './tree-stamps.ts'

const places = ['.']
let folder: string
let root: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-kept-manifest-'))
  root = join(folder, 'drive')
  file = join(folder, 'kept', 'hashes')
  mkdirSync(join(root, 'a'), { recursive: true })
  mkdirSync(join(root, 'b'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()

async function renew({ key = 'key', during = () => {} } = {}) {
  const before = await stampTree(root, places)
  during()
  return await renewManifest({ root, places, key, signal, before, file })
}

async function anew(key = 'key') {
  const { root: hash, files, apart } = await readManifest({ root, places, key, signal })
  return { root: hash, files, apart }
}

/** Files changed from now on get another time than those changed before: the system's clock for that has steps. */
function waitForClock(): void {
  const probe = join(folder, 'probe')
  const now = () => {
    writeFileSync(probe, '')
    return statSync(probe, { bigint: true }).ctimeNs
  }
  const then = now()
  while (now() === then);
}

const name = fc.constantFrom('a/one', 'a/two', 'b/one', 'three', 'a', 'b')
const change = fc.oneof(
  fc.record({ write: name, text: fc.string({ maxLength: 8 }) }),
  fc.record({ remove: name }),
  fc.record({ move: name, to: name }),
  fc.record({ link: name, to: fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' }) }),
  fc.record({ mode: name, bits: fc.constantFrom(0o600, 0o640, 0o755) }),
  fc.record({ time: name, seconds: fc.integer({ min: -2_000_000, max: 2_000_000 }) }),
  fc.record({ folder: name }),
)

/** As far as the tree allows it. */
function apply(made: typeof change extends fc.Arbitrary<infer Change> ? Change : never): void {
  const at = (path: string) => join(root, path)
  try {
    if ('write' in made) writeFileSync(at(made.write), made.text)
    else if ('remove' in made) rmSync(at(made.remove), { recursive: true })
    else if ('move' in made) renameSync(at(made.move), at(made.to))
    else if ('link' in made) symlinkSync(made.to, at(made.link))
    else if ('mode' in made) chmodSync(at(made.mode), made.bits)
    else if ('time' in made) utimesSync(at(made.time), made.seconds, made.seconds)
    else mkdirSync(at(made.folder))
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}

test('equals a manifest made from nothing, whatever was changed since the one before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 5 }), async (runs) => {
      for (const changes of runs) {
        waitForClock()
        changes.forEach(apply)
        expect(await renew()).toEqual(await anew())
        expect(await renew()).toEqual(await anew())
      }
    }),
    { numRuns: 50 },
  )
})

test('counts apart what changed during the run, though nothing had changed before it', async () => {
  writeFileSync(join(root, 'a/one'), 'one')
  writeFileSync(join(root, 'a/two'), 'two')
  const first = await renew()
  waitForClock()
  const second = await renew({ during: () => writeFileSync(join(root, 'a/two'), 'other') })
  expect(second).toMatchObject({ files: 1, apart: [expect.any(String)] })
  expect(second.root).not.toBe(first.root)
  expect(await renew()).toEqual(await anew())
})

test('has another root under another key, and writes nothing where all is as it was', async () => {
  writeFileSync(join(root, 'three'), 'three')
  const [first, kept, { ino }] = [await renew(), readFileSync(file, 'utf8'), statSync(file)]
  waitForClock()
  chmodSync(join(root, 'three'), 0o000)
  chmodSync(join(root, 'three'), 0o644)
  expect(await renew()).toEqual(first)
  const written = statSync(file).ino
  expect(written).not.toBe(ino)
  expect(await renew()).toEqual(first)
  expect(statSync(file).ino).toBe(written)
  const other = await renew({ key: 'another' })
  expect(other).toEqual(await anew('another'))
  expect(other.root).not.toBe(first.root)
  expect(await renew()).toEqual(first)
  // One of before has no first line, one that was cut none that can be read.
  for (const text of [kept.slice(kept.indexOf('\n') + 1), kept.slice(0, 100), 'whole  x\n']) {
    writeFileSync(file, text)
    expect(await renew()).toEqual(first)
  }
})
