/** A proof never outlives control of the name, over random histories of claims, records and delegations. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../platform/caller.ts'
import { addDomain, changeMethod, removeDomain, restartDomain, setRule } from '../claims/domain-service.ts'
import { isFinished, isProven } from '../records/domain-state.ts'
import { findOwnDomain, listDomains } from '../records/domain-store.ts'
import type { DomainHarness } from '../testing/domain-harness.ts'
import { releaseDomain } from './end-claim.ts'
import { createProofHarness, isApex } from './proof.fixture.ts'

const dayMs = 24 * 60 * 60_000
let harness: DomainHarness
beforeAll(async () => {
  harness = await createProofHarness()
})
afterAll(() => harness[Symbol.asyncDispose]())

let serial = 0
function newApex(): string {
  serial += 1
  return `history${serial}.example`
}
const add = (caller: Caller, domain: string) =>
  addDomain(harness.deps, caller, { domain, method: 'ns', confirm: domain })
async function people(count: number): Promise<Caller[]> {
  return await Promise.all(Array.from({ length: count }, () => harness.createCaller()))
}

/** Events in random order; a number names an account, a name or a time. */
type Happening = readonly [
  kind:
    | ('add' | 'publish' | 'withdraw' | 'silence' | 'speak' | 'delegate' | 'leave' | 'move' | 'link')
    | ('remove' | 'release' | 'restart' | 'wait' | 'stall'),
  who: number,
  where: number,
]

test('nobody is ever proven without control now, whatever is claimed, published, delegated and ended', async () => {
  const happening: fc.Arbitrary<Happening> = fc.tuple(
    fc.constantFrom(
      ...(['add', 'add', 'add', 'publish', 'publish', 'publish', 'withdraw', 'withdraw'] as const),
      ...(['delegate', 'delegate', 'leave', 'remove', 'release', 'restart', 'wait', 'wait'] as const),
      ...(['silence', 'silence', 'speak', 'stall', 'move', 'link', 'link'] as const),
    ),
    fc.nat(2),
    fc.nat(2),
  )
  let [proofs, linked, contests] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 8, maxLength: 24 }), async (happenings) => {
      harness.dns.silent.clear()
      const callers = await people(3)
      const apex = newApex()
      const names = [apex, `cloud.${apex}`, `part.cloud.${apex}`]
      const published = new Set<string>()
      /** Whose records nobody answers for. */
      const silent = new Set<string>()
      const isSeen = (row: { name: string; txt_token: string }) =>
        published.has(row.txt_token) &&
        !silent.has(row.txt_token) &&
        !(isApex(row.name) && harness.dns.records.has(`NS ${row.name}`))
      const living = async () => (await Promise.all(callers.map((one) => listDomains(harness.db, one.userid)))).flat()
      /** Of each proven claim, when its control was true last. */
      const heldAt = new Map<number, number>()
      /** Of each linked claim, since when somebody else's record is seen and its own is not. */
      const contestedAt = new Map<number, number>()

      for (const [kind, who, where] of happenings) {
        const [caller, domain] = [callers[who], names[where]]
        if (!caller || !domain) throw new Error('drawn out of range')
        const row = await findOwnDomain(harness.db, caller.userid, domain)
        const before = (await living()).filter(({ status }) => isProven(status))
        const wasProven = new Set(before.map(({ number }) => number))
        // An act that is not allowed now is refused; the invariants below must hold all the same.
        const attempt = async (act: Promise<unknown>) =>
          await act.catch((error: unknown) => expect(error).toHaveProperty('key'))
        if (kind === 'add') await attempt(add(caller, domain))
        if (kind === 'publish' && row) published.add(row.txt_token)
        if (kind === 'withdraw' && row) published.delete(row.txt_token)
        if (kind === 'silence' && row) silent.add(row.txt_token)
        if (kind === 'speak') {
          silent.clear()
          harness.dns.silent.clear()
        }
        // Our own servers have not received the zones yet.
        if (kind === 'stall') for (const server of harness.deps.dns.nameServers) harness.dns.silent.add(server)
        if (kind === 'move' && row) {
          const method = row.method === 'ns' ? 'cname' : 'ns'
          await attempt(changeMethod(harness.deps, caller, { domain, method, confirm: domain }))
        }
        if (kind === 'link' && row?.status === 'WAIT_REQUEST_VC') {
          await harness.db
            .updateTable('domains')
            .set({ status: 'WAIT_RULE_SET' })
            .where('number', '=', row.number)
            .execute()
          await attempt(setRule(harness.deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' }))
        }
        if (kind === 'delegate') harness.dns.records.add(`NS ${domain}`)
        if (kind === 'leave') harness.dns.records.delete(`NS ${domain}`)
        if (kind === 'remove' && row) await attempt(removeDomain(harness.deps, caller, { domain, confirm: domain }))
        if (kind === 'release') await releaseDomain(harness.deps, domain)
        if (kind === 'restart' && row) await attempt(restartDomain(harness.deps, caller, domain))
        for (const line of [...harness.dns.records]) if (line.startsWith('TXT ')) harness.dns.records.delete(line)
        for (const token of published) harness.dns.records.add(`TXT atoll-verify=${token}`)
        harness.dns.unanswered.clear()
        for (const token of silent) harness.dns.unanswered.add(`TXT atoll-verify=${token}`)
        for (let hours = kind === 'wait' ? 24 * (1 + who * 4) : 1; hours > 0; hours -= 24) {
          harness.clock.advance(Math.min(hours, 24) * 60 * 60_000)
          // Everybody asks, twice: what one round frees is another one's in the next.
          for (let round = 0; round < 2; round += 1)
            for (const { number } of await living()) {
              const due = { next_check_at: harness.clock.now() }
              await harness.db.updateTable('domains').set(due).where('number', '=', number).execute()
              await harness.reconcile(number)
            }
        }
        const rows = await living()
        const now = harness.clock.now().getTime()
        // Whom nobody answers for loses nothing by that, to nobody.
        const isAsked = ['remove', 'release', 'restart', 'move'].includes(kind)
        for (const one of isAsked ? [] : before.filter(({ txt_token }) => silent.has(txt_token)))
          expect(rows.filter(({ number, status }) => number === one.number && isProven(status))).toHaveLength(1)
        for (const one of rows.filter(({ status }) => isProven(status))) {
          const isUnknown = silent.has(one.txt_token)
          const isHeld = isSeen(one) || isUnknown || (one.is_apex && harness.dns.records.has(`NS ${one.name}`))
          // A proof is this claim's own record, seen.
          if (!wasProven.has(one.number)) {
            expect(isSeen(one)).toBe(true)
            proofs += 1
          }
          if (isHeld) heldAt.set(one.number, now)
          const others = rows.filter((other) => other.name === one.name && other.number !== one.number && isSeen(other))
          const isRivalled = !isSeen(one) && !isUnknown && others.length > 0
          if (isFinished(one.status)) {
            linked += 1
            // A claimant who shows the record gets the name after the owner had a week to answer.
            if (isRivalled) contests += 1
            if (!isRivalled) contestedAt.delete(one.number)
            else if (!contestedAt.has(one.number)) contestedAt.set(one.number, now)
            expect(now - (contestedAt.get(one.number) ?? now)).toBeLessThan(9 * dayMs)
            continue
          }
          expect(now - (heldAt.get(one.number) ?? 0)).toBeLessThan(8 * dayMs)
          // And gives way to a record of somebody else that is seen, while it is not.
          expect(isRivalled).toBe(false)
        }
      }
    }),
    {
      numRuns: 10,
      // Histories that prove, link and contest, however little the others do.
      examples: [
        [
          [
            ['add', 0, 1],
            ['publish', 0, 1],
            ['delegate', 0, 1],
            ['stall', 0, 1],
            ['link', 0, 1],
            ['withdraw', 0, 1],
            ['leave', 0, 1],
            ['wait', 2, 1],
            ['add', 1, 1],
            ['publish', 1, 1],
            ['wait', 0, 1],
          ],
        ],
        [
          [
            ['add', 0, 1],
            ['publish', 0, 1],
            ['wait', 0, 1],
          ],
        ],
        [
          [
            ['add', 1, 0],
            ['publish', 1, 0],
            ['delegate', 1, 0],
            ['wait', 2, 0],
          ],
        ],
        [
          [
            ['add', 0, 1],
            ['publish', 0, 1],
            ['delegate', 0, 1],
            ['link', 0, 1],
            ['wait', 0, 1],
            ['withdraw', 0, 1],
            ['add', 1, 1],
            ['publish', 1, 1],
            ['move', 0, 1],
            ['silence', 0, 1],
            ['wait', 2, 1],
            ['speak', 0, 1],
            ['wait', 2, 1],
          ],
        ],
      ],
    },
  )
  expect([proofs > 1, linked > 0, contests > 0]).toEqual([true, true, true])
})
