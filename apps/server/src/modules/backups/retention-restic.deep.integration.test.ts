/** Compares our rules with the same rules of `restic forget`, on one repository of 300 snapshots. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KeepRules } from '@atoll/contract/backups'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restics } from '../vault/testing/restic-programs.ts'
import { applyKeepRules, type KeptSnapshot } from './rules/retention.ts'
import { encryptJson, type MasterKey, writeNamed, writeQuickKey } from './testing/restic-crypto.ts'

const program = restics['0.18']
/** With half an hour of summer time: what is off by one hour shows, and what is off by less. */
const zone = 'Australia/Lord_Howe'
const password = 'a password for tests'
let folder: string
let history: KeptSnapshot[]

async function restic(...args: string[]): Promise<string> {
  const env = { RESTIC_REPOSITORY: join(folder, 'repository'), RESTIC_PASSWORD: password, TZ: zone }
  const { stdout } = await promisify(execFile)(program ?? '', [...args, '--no-cache'], { env, maxBuffer: 2 ** 26 })
  return stdout
}

/** Of four years, in bursts and with gaps, none at the same second: restic leaves the order of those open. */
function drawTimes(count: number): Date[] {
  const gaps = fc.sample(
    fc.oneof(
      fc.integer({ min: 1, max: 5400 }),
      fc.integer({ min: 3600, max: 3 * 86_400 }),
      fc.integer({ max: 30 * 86_400, min: 1 }),
    ),
    { numRuns: count, seed: 20_280_601 },
  )
  let at = Date.UTC(2024, 0, 3)
  return gaps.map((gap) => {
    at += gap * 1000
    return new Date(at)
  })
}

beforeAll(async () => {
  if (program === undefined) return
  folder = mkdtempSync(join(tmpdir(), 'atoll-retention-'))
  await restic('init')
  const master = JSON.parse(await restic('cat', 'masterkey')) as MasterKey // restic's own, which restic reads again
  const repository = join(folder, 'repository')
  writeQuickKey(repository, master, password)
  history = drawTimes(300).map((at) => {
    const time = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
    const snapshot = {
      time: time.toString({ timeZoneName: 'never' }),
      tree: '0'.repeat(64),
      paths: ['/drive'],
      hostname: 'reef',
      username: 'atoll',
    }
    return { id: writeNamed(join(repository, 'snapshots'), encryptJson(master, snapshot)), at }
  })
  expect(JSON.parse(await restic('snapshots', '--json'))).toHaveLength(300)
})
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

const count = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 400 }))
const policies = fc
  .record({ last: count, hourly: count, daily: count, weekly: count, monthly: count, yearly: count })
  .filter((rules) => Object.values(rules).some((each) => each > 0))

test.skipIf(program === undefined)('40 random policies keep and remove the same, for the same reasons', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(policies, async (rules: KeepRules) => {
      const wanted = Object.entries(rules).flatMap(([rule, most]) => (most > 0 ? [`--keep-${rule}`, String(most)] : []))
      const said = JSON.parse(await restic('forget', '--dry-run', '--json', '--group-by', '', ...wanted)) as [
        {
          keep: { id: string }[]
          remove: { id: string }[] | null
          reasons: { snapshot: { id: string }; matches: string[] }[]
        },
      ] // as its documentation describes
      const [{ keep, remove, reasons }] = said
      const ours = applyKeepRules(history, rules, zone)
      const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort()
      expect(ids(ours.keep.map(({ snapshot }) => snapshot))).toEqual(ids(keep))
      expect(ids(ours.remove)).toEqual(ids(remove ?? []))
      const words = (list: readonly string[]) => [...list].sort().join()
      for (const { snapshot, because } of ours.keep) {
        const theirs = reasons.find((each) => each.snapshot.id === snapshot.id)?.matches ?? []
        expect(words(because.map((reason) => `${reason} snapshot`))).toBe(words(theirs))
      }
      compared += 1
    }),
    { numRuns: 40, endOnFailure: true },
  )
  expect(compared).toBe(40)
})
