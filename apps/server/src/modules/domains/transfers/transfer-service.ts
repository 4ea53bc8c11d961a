/**
 * Transferring a domain (design/domains, "Transfer"): its owner offers it to a member with an ID and signs that; the
 * member accepts with an application for the credential, within a day. One transaction then revokes the old credential,
 * issues the new one and moves the row; zone, hosts, certificates and members stay as they are. The accounts are locked
 * first, then the row.
 */

import { randomUUID } from 'node:crypto'
import { type DomainsAuditAction, type DomainTransfer, TransferPayload } from '@atoll/contract/domains'
import { clockSkewMs, type Locale } from '@atoll/contract/wire'
import { didOfKeyId, minutesBetween } from '@atoll/did'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { readParameters } from '../../../platform/parameters.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findAccountOfDid, getDid } from '../../accounts/index.ts'
import { type AuditSource, recordAudit } from '../../audit/index.ts'
import { verifySignedRequest } from '../../identity/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { changeOwn, getDomain, lockDomain, nameToFind, refuseNow, sourceOf } from '../lifecycle/own-domain.ts'
import { localPart } from '../members/invite.ts'
import { type DomainRow, findOwnDomain, lockDomain as lockRow } from '../records/domain-store.ts'
import { findMember } from '../records/member-store.ts'
import {
  endTransfers,
  findTransfer,
  insertTransfer,
  listOffers,
  signTransfer,
  type TransferRow,
} from '../records/transfer-store.ts'
import { Issued } from '../wallet/wallet-service.ts'
import { transferJson } from './transfer-json.ts'

/** How long an offer can be accepted, ms. */
const offeredForMs = 24 * 60 * 60_000

interface SignedOrder {
  domain: string
  jws: string
  locale: Locale
}

/** Offers the caller's domain to the member `to`; the same once more is answered as it is, another replaces it. */
export async function offerTransfer(
  deps: DomainDeps,
  caller: Caller,
  order: { domain: string; to: string },
): Promise<DomainTransfer> {
  return await deps.db.transaction().execute(async (trx) => {
    const now = deps.clock.now()
    const row = await lockDomain(deps, trx, caller, order.domain)
    requireSettled(row)
    const name = localPart(order.to, row.name)
    const member = await findMember(trx, row.number, name)
    const did = member?.did ?? refuse('transferMember', { name: order.to.trim(), domain: row.name })
    if (did === caller.did) refuse('transferSelf')
    const same = await findTransfer(trx, row.number, now)
    if (same?.to_did === did) return await transferJson(deps, trx, row.name, same)
    const replaced = await endTransfers(trx, row.number, 'withdrawn', now)
    if (replaced) await publish(trx, row, replaced)
    const expires_at = new Date(now.getTime() + offeredForMs)
    const people = { from_userid: caller.userid, to_did: did, to_name: name }
    const offer = await insertTransfer(trx, {
      id: randomUUID(),
      domain: row.number,
      created_at: now,
      expires_at,
      ...people,
    })
    await record(trx, sourceOf(caller), 'domain.offer', row, offer)
    const json = await transferJson(deps, trx, row.name, offer)
    const offered = await findAccountOfDid(trx, did)
    if (offered)
      await deps.notify(trx, offered, { event: 'offered', domain: row.name, from: json.from, until: json.until })
    return json
  })
}

/** Takes the owner's signature of the offer; repeating it changes nothing. */
export async function signOffer(deps: DomainDeps, caller: Caller, order: SignedOrder): Promise<DomainTransfer> {
  // Somebody else's is missing, whatever was signed.
  await getDomain(deps, caller, order.domain)
  const now = deps.clock.now()
  const { did, payload } = await verifySignedRequest(order.jws, { now, locale: order.locale })
  if (did !== caller.did) refuse('signedByOther')
  const signed = readParameters(TransferPayload, payload, order.locale)
  if (signed.time - now.getTime() > clockSkewMs)
    refuse('clockAhead', { minutes: minutesBetween(signed.time, now.getTime()) })
  return await deps.db.transaction().execute(async (trx) => {
    const row = await lockDomain(deps, trx, caller, order.domain)
    requireSettled(row)
    const offer = (await findTransfer(trx, row.number, now)) ?? refuseNone(order)
    if (signed.transfer !== offer.id) refuse('transferDiffers', { what: 'transfer' })
    if (signed.domain !== row.name) refuse('transferDiffers', { what: 'domain' })
    if (didOfKeyId(signed.to) !== offer.to_did) refuse('transferDiffers', { what: 'to' })
    if (offer.signed_at === null) {
      await signTransfer(trx, offer.id, order.jws, now)
      await record(trx, sourceOf(caller), 'domain.signOffer', row, offer)
    }
    return await transferJson(deps, trx, row.name, { ...offer, signed_at: offer.signed_at ?? now })
  })
}

/** Takes over a domain that is offered to the caller, whose wallet applied for its credential with `jws`. */
export async function acceptTransfer(deps: DomainDeps, caller: Caller, order: SignedOrder): Promise<Issued> {
  const { userid, did } = caller
  const domain = nameToFind(order.domain)
  const seen = await findOffer(deps, caller, domain)
  // Accepted before, and the answer was lost.
  const kept = seen ? undefined : await findKept(deps, caller, domain)
  if (kept) return kept
  if (!seen) return refuseNone(order)
  const application = await deps.credentials.readApplication(order.jws, { did, domain, locale: order.locale })
  return await deps.db.transaction().execute(async (trx) => {
    for (const one of [seen.from_userid, userid].toSorted()) await deps.lockAccount(trx, one)
    const now = deps.clock.now()
    const row = (await lockRow(trx, seen.domain)) ?? refuseNone(order)
    // The same request, at once: the other one was faster.
    if (row.userid === userid && row.full_string !== null) return Issued.parse(JSON.parse(row.full_string))
    const offer = await findTransfer(trx, row.number, now)
    if (offer?.id !== seen.id || row.userid !== offer.from_userid) return refuseNone(order)
    requireSettled(row)
    const from = (await deps.findNameOf(trx, offer.from_userid)) ?? (await getDid(trx, offer.from_userid))
    if (offer.signed_at === null) refuse('transferUnsigned', { from })
    await deps.credentials.revoke(trx, row.number)
    const issued = await deps.credentials.issue(trx, { number: row.number, domain, userid, did, application })
    await endTransfers(trx, row.number, 'accepted', now)
    const changes = { userid, full_string: JSON.stringify(issued) }
    await changeOwn(trx, caller, row, changes, 'domain.takeOver', now)
    await deps.names.forget(trx, domain)
    await record(trx, sourceOf(caller), 'domain.handOver', row, offer)
    await deps.notify(trx, offer.from_userid, { event: 'handedOver', domain, to: `${offer.to_name}@${domain}` })
    return Issued.parse(issued)
  })
}

/** Takes the caller's offer back, or declines the one that is made to them. Without one nothing happens. */
export async function endOffer(deps: DomainDeps, caller: Caller, order: { domain: string }): Promise<void> {
  const domain = nameToFind(order.domain)
  const own = await findOwnDomain(deps.db, caller.userid, domain)
  const offered = own ? undefined : await findOffer(deps, caller, domain)
  const number = own?.number ?? offered?.domain ?? refuse('notFound', { object: 'domain' })
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockRow(trx, number)
    const open = row && (await findTransfer(trx, number, deps.clock.now()))
    if (!row || !open || (open.from_userid !== caller.userid && open.to_did !== caller.did)) return
    const by = own ? 'withdrawn' : 'declined'
    await endTransfers(trx, number, by, deps.clock.now())
    await record(trx, sourceOf(caller), own ? 'domain.withdrawOffer' : 'domain.declineOffer', row, open)
  })
}

/** Only a domain that is in use, with nothing open about it, changes hands. */
function requireSettled(row: DomainRow): void {
  if (row.status !== 'ALLOCATED') refuseNow(row)
  if (row.contest_until !== null) refuse('transferContested', { domain: row.name })
  if (row.problem === 'delegationLost') refuse('domainUnreachable', { domain: row.name })
}

function refuseNone({ domain }: SignedOrder): never {
  return refuse('transferNone', { domain: domain.trim().slice(0, 200) })
}

async function findOffer({ db, clock }: DomainDeps, { did }: Caller, domain: string) {
  return (await listOffers(db, did, clock.now())).find(({ name }) => name === domain)
}

/** The credential that the caller got for a domain that was transferred to them. */
async function findKept({ db }: DomainDeps, { userid, did }: Caller, domain: string): Promise<Issued | undefined> {
  const row = await findOwnDomain(db, userid, domain)
  const accepted =
    row &&
    (await db
      .selectFrom('domain_transfers')
      .select('id')
      .where('domain', '=', row.number)
      .where('to_did', '=', did)
      .where('ended_by', '=', 'accepted')
      .executeTakeFirst())
  return accepted && row.full_string !== null ? Issued.parse(JSON.parse(row.full_string)) : undefined
}

/** Recorded in the log of the former owner; the change is published to both. */
async function record(
  trx: Trx,
  source: AuditSource,
  action: DomainsAuditAction,
  row: DomainRow,
  offer: TransferRow,
): Promise<void> {
  const facts = { memberName: offer.to_name }
  const isGone = action === 'domain.withdrawOffer' || action === 'domain.declineOffer'
  await recordAudit(trx, {
    ...source,
    action,
    object: { kind: 'domain', id: String(row.number), owner: offer.from_userid, name: row.name },
    before: isGone ? facts : null,
    after: isGone ? null : facts,
  })
  await publish(trx, row, offer)
}

async function publish(trx: Trx, row: DomainRow, { from_userid, to_did }: TransferRow): Promise<void> {
  for (const account of [from_userid, await findAccountOfDid(trx, to_did)])
    if (account) await publishChange(trx, { account, topic: 'domain', id: String(row.number) })
}
