/**
 * Erases an account: in one transaction its documents are sealed into the archive, everything that the one list of
 * personal columns names goes, its names rest by their hashes, and the audit log loses its personal fields. Its id is
 * written into a file outside of the database first, so that a restore of an older one erases it again. Safe to repeat,
 * and to be killed anywhere: before the commit nothing is erased, and the file only says what will be.
 */
import { join } from 'node:path'
import { sql } from 'kysely'
import { noteErased } from '../../platform/careful/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Sealer, sha256Hex } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import {
  type Erase,
  findDid,
  findEmail,
  findName,
  lockOperated,
  personalColumns,
  personalRows,
} from '../accounts/index.ts'
import { recordErasure } from '../audit/index.ts'
import { hideDocuments, listDocuments } from '../billing/index.ts'
import { listOwnLabels } from '../clusters/index.ts'
import { listFormerNames, lockNames, restName } from '../identity/index.ts'
import { forgetOutbox } from '../mail/index.ts'
import { forgetCards } from '../payments/index.ts'
import { keptUntil, nameRestsUntil } from './closing-dates.ts'
import { findErasure, keepDocument, noteErasure } from './stores/erasure-store.ts'

export interface EraseDeps {
  db: Db
  clock: Clock
  sealer: Pick<Sealer, 'seal'>
  config: { dataDir: string; retentionYears: number }
}

/**
 * `at`: when its time was over, from which what is kept is counted. `isLast`: its clusters are gone too, whose labels
 * then rest, and nothing of it is erased again.
 */
export async function eraseAccount(
  { db, clock, sealer, config }: EraseDeps,
  { accountId, at, isLast = true }: { accountId: string; at: Date; isLast?: boolean },
): Promise<void> {
  if ((await findErasure(db, accountId))?.erased_at || (await findDid(db, accountId)) === undefined) return
  await noteErased(config.dataDir, { accountId, at })
  const mailedTo = await findEmail(db, accountId)
  if (mailedTo !== null) await forgetOutbox(join(config.dataDir, 'outbox'), mailedTo)
  await db.transaction().execute(async (trx) => {
    await lockNames(trx)
    await lockOperated(trx, accountId)
    const did = await findDid(trx, accountId)
    if (did === undefined || (await findErasure(trx, accountId))?.erased_at) return
    const name = await findName(trx, accountId)
    const email = await findEmail(trx, accountId)
    const person = { account: accountId, did, name, email, pseudonym: pseudonymOf(accountId) }
    await sealDocuments({ sealer }, trx, person, keptUntil(at, config.retentionYears))
    if (name !== null) await restName(trx, { name }, nameRestsUntil(at))
    // One under a domain of their own ended with it, some minutes ago.
    for (const { name: former, releasedAt } of await listFormerNames(trx, did))
      await restName(trx, { name: former }, nameRestsUntil(releasedAt))
    for (const { label, until } of await listOwnLabels(trx, { owner: accountId, now: at }))
      await restName(trx, { label }, until)
    await forgetCards(trx, accountId, clock.now())
    for (const { table, column, erase } of personalRows) await applyErase(trx, { table, column, erase }, person)
    for (const [place, { erase }] of Object.entries(personalColumns)) {
      const [table = '', column] = place.split('.')
      await applyErase(trx, { table, column, erase }, person)
    }
    if (isLast) await noteErasure(trx, accountId, { erased_at: clock.now() })
    await recordErasure(trx, { userid: accountId, did, actor: 'system', ip: null })
  })
}

interface Person {
  account: string
  did: string
  name: string | null
  email: string | null
  pseudonym: string
}

/** The name of an erased account in lists. */
export function pseudonymOf(accountId: string): string {
  return `customer-${sha256Hex(accountId).slice(0, 12)}`
}

async function applyErase(
  trx: Trx,
  { table, column, erase }: { table: string; column: string | undefined; erase: Erase },
  person: Person,
): Promise<void> {
  if ('rows' in erase) await sql`delete from ${sql.table(table)} where ${filled(erase.rows, person)}`.execute(trx)
  else if ('put' in erase && column !== undefined) {
    const set = sql`${sql.ref(column)} = ${filled(erase.put, person)}`
    await sql`update ${sql.table(table)} set ${set} where ${filled(erase.where, person)}`.execute(trx)
  }
}

/** A condition of the list with the person in its places. */
function filled(text: string, person: Person) {
  const parts = text.split(/(?<!:):(account|did|name|email|pseudonym)\b/).map((part, index) => {
    if (index % 2 === 0) return sql.raw(part)
    const field = part as keyof Person // the pattern names these
    return sql`${person[field]}::text`
  })
  return sql.join(parts, sql``)
}

/** Seals issued documents as they are, and gives what stays in their place the pseudonym. */
async function sealDocuments(
  { sealer }: Pick<EraseDeps, 'sealer'>,
  trx: Trx,
  { account, pseudonym }: Person,
  until: Date,
): Promise<void> {
  for (const { id, ...document } of await listDocuments(trx, account)) {
    const box = sealer.seal('archive of erased accounts', JSON.stringify(document))
    await keepDocument(trx, { document_id: id, account_id: account, box, kept_until: until })
  }
  await hideDocuments(trx, account, pseudonym)
}
