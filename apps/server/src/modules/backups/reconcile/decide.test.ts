import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { carryOut, facts } from '../testing/decided-backups.ts'
import type { Change } from './changes.ts'
import { decide } from './decide.ts'
import { type BackupFacts, isQuiet } from './facts.ts'

const numRuns = 1000

/** `changes`, with those of a drill for which no cluster can be had. */
function flat(changes: readonly Change[]): Change[] {
  return changes.flatMap((change) => (change.kind === 'orderDrill' ? change.beside : [change]))
}

/** The decisions until nothing is left to change, each with the facts that it was made from. */
function decideAll(begin: BackupFacts, most = 50): { known: BackupFacts; changes: Change[] }[] {
  const decisions = []
  let known = begin
  for (let changes = flat(decide(known)); changes.length > 0; changes = flat(decide(known))) {
    decisions.push({ known, changes })
    if (decisions.length > most) return decisions
    known = carryOut(known, changes)
  }
  return decisions
}

const has = (changes: readonly Change[], kind: Change['kind']) => changes.some((change) => change.kind === kind)

describe('a decision about a backup', () => {
  test('is the same for the same facts, and changes none of them', () => {
    fc.assert(
      fc.property(facts, (known) => {
        const copy = structuredClone(known)
        expect(decide(known)).toEqual(decide(copy))
        expect(known).toEqual(copy)
      }),
      { numRuns },
    )
  })

  test('brings every backup to rest', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        const decisions = decideAll(begin)
        const last = decisions.slice(-2).map(({ changes }) => changes)
        expect(decisions.length, inspect(last)).toBeLessThanOrEqual(15)
      }),
      { numRuns },
    )
  })

  test('requests at most one task, whose row then names it', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        for (const { known, changes } of decideAll(begin)) {
          const requested = changes.filter(({ kind }) => kind === 'requestTask')
          expect(requested.length).toBeLessThanOrEqual(1)
          const rows = changes.filter(({ kind }) => kind !== 'requestTask')
          const named = rows.filter((change) => JSON.stringify(change).includes(known.newTaskId))
          expect(named).toHaveLength(requested.length)
        }
      }),
      { numRuns },
    )
  })

  test('begins a chore only while its machine does nothing else, but for a password in place of a check', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        for (const { known, changes } of decideAll(begin)) {
          for (const change of changes) {
            if (change.kind !== 'insertChore') continue
            const isReplaced = change.chore.kind === 'password' && known.chore?.kind === 'check'
            expect(isQuiet(known) || (isReplaced && has(changes, 'saveChore'))).toBe(true)
          }
        }
      }),
      { numRuns },
    )
  })

  test('forgets and prunes nothing during an alarm, damage, a hold, or while a new cluster reads', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        for (const { known, changes } of decideAll(begin)) {
          const isReading = known.clusterRestores.some(({ row }) => row.state !== 'Pending')
          const { alarm, damaged_at } = known.backup
          if (alarm === null && damaged_at === null && !known.isHeld && !isReading) continue
          expect(has(changes, 'forget')).toBe(false)
          expect(changes.some((change) => change.kind === 'requestTask' && change.task.kind === 'backup.prune')).toBe(
            false,
          )
        }
      }),
      { numRuns },
    )
  })

  test('completes no run whose snapshot is not in the vault', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        for (const { known, changes } of decideAll(begin)) {
          for (const change of changes) {
            if (change.kind !== 'saveRun' || change.set.state !== 'Completed') continue
            expect(known.files.map(({ name }) => name)).toContain(change.set.restic_id)
          }
        }
      }),
      { numRuns },
    )
  })

  test('about one that is being deleted requests no run, check, prune or drill, and ends it only without a hold', () => {
    fc.assert(
      fc.property(facts, (begin) => {
        const deleted_at = begin.backup.deleted_at ?? begin.at
        const deleting = { ...begin, backup: { ...begin.backup, state: 'deleting' as const, deleted_at } }
        for (const { known, changes } of decideAll(deleting)) {
          expect(has(changes, 'insertChore') || has(changes, 'insertRun') || has(changes, 'forget')).toBe(false)
          const isEnd = changes.some((change) => change.kind === 'saveBackup' && change.set.state === 'deleted')
          if (isEnd) expect(known.isHeld).toBe(false)
        }
      }),
      { numRuns },
    )
  })
})
