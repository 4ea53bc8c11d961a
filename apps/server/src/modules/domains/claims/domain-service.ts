/**
 * An account's acts on its domains. The account is locked first, then the row; DNS is read by a job (lifecycle/job.ts).
 * Another account's domain is treated as missing.
 */
import {
  checkPauseMs,
  type Domain,
  type DomainHttps,
  type DomainMethod,
  mostUnfinishedDomains,
  type RuleType,
  type TypedRecord,
} from '@atoll/contract/domains'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { serveDomain, zoneOf } from '../lifecycle/awaited.ts'
import { actionsOf } from '../lifecycle/domain-actions.ts'
import { checksFrom, recordDomain } from '../lifecycle/domain-events.ts'
import { endClaim } from '../lifecycle/end-claim.ts'
import {
  changeOwn,
  getDomain,
  lockDomain,
  nameToFind,
  refuseNow,
  requireEvent,
  sourceOf,
} from '../lifecycle/own-domain.ts'
import { isFresh, isHidden, lapsesNow, unproven } from '../lifecycle/proof.ts'
import { wakeDomain } from '../lifecycle/wake-domain.ts'
import { type DomainName, isNameFault, parseDomainName } from '../names/domain-name.ts'
import { parseSuffixes } from '../names/email-suffixes.ts'
import { newTxtToken } from '../names/txt-record.ts'
import { isFinished } from '../records/domain-state.ts'
import {
  type DomainRow,
  findProvenDomain,
  findRival,
  insertDomain,
  listDomains,
  updateDomain,
} from '../records/domain-store.ts'
import { domainJson } from './domain-json.ts'
import { beginRecords } from './own-records.ts'

export interface DomainOrder {
  domain: string
  method?: DomainMethod | undefined
  /** The name once more, where its mail and web records move. */
  confirm?: string | undefined
  requestId?: string | undefined
}

/** Begins to link a domain; the account's claim to the same name is answered as it is. */
export async function addDomain(deps: DomainDeps, caller: Caller, order: DomainOrder): Promise<Domain> {
  const { clock, dns } = deps
  const name = readName(deps, order.domain)
  const key = { owner: caller.userid, call: 'domainAdd', body: { ...order } }
  return await once(deps, key, async (trx) => {
    // An account that takes a name at the same time links no domain: one of the two acts comes first.
    await deps.names.lock(trx)
    await deps.lockAccount(trx, caller.userid)
    const own = await listDomains(trx, caller.userid)
    const same = own.find((row) => row.name === name.domain)
    if (same) return await domainJson(deps, trx, same)
    if ((await deps.findNameOf(trx, caller.userid)) !== null) refuse('domainDidNamed')
    if (own.filter(({ status }) => !isFinished(status)).length >= mostUnfinishedDomains)
      refuse('domainTooMany', { most: mostUnfinishedDomains })
    // The name itself may be claimed by many until one proves it; what contains it may not be somebody's.
    const rival = await findRival(trx, { name: name.domain })
    if (rival && rival.relation !== 'same' && barsOthers(rival, clock.now()))
      refuse(rival.relation === 'parent' ? 'domainParentProven' : 'domainChildProven', { other: rival.name })
    const method = order.method ?? (dns.nameServers.length > 0 && !name.isApex ? 'ns' : 'cname')
    requireMethod(deps, name, method, order.confirm)
    const now = clock.now()
    const row = await insertDomain(trx, {
      userid: caller.userid,
      name: name.domain,
      is_apex: name.isApex,
      method,
      status: 'WAIT_TXT',
      txt_token: newTxtToken(),
      checks_since: now,
      next_check_at: now,
      created_at: now,
      updated_at: now,
    })
    await recordDomain(trx, sourceOf(caller), 'domain.add', { before: null, after: row })
    await wakeDomain(trx, row.number)
    return await domainJson(deps, trx, row)
  })
}

/**
 * Whether a proven claim to a part of a name, or to what contains it, keeps others from claiming that name at all: a
 * bound one that still leads here, and one whose record was there a moment ago. Any other may have to give way to a
 * record that is seen, and a claim is needed to know which record that is.
 */
function barsOthers(row: DomainRow, now: Date): boolean {
  if (isFinished(row.status)) return row.problem !== 'delegationLost'
  return row.unseen_since === null && isFresh(row.checked_at, now)
}

/** Checks DNS now and restarts the schedule of checks. */
export async function checkDomain(deps: DomainDeps, caller: Caller, domain: string): Promise<Domain> {
  return await withDomain(deps, caller, domain, async (trx, row, now) => {
    if (!actionsOf(row).includes('check')) refuseNow(row)
    const wait = row.asked_at ? row.asked_at.getTime() + checkPauseMs - now.getTime() : 0
    if (wait > 0) refuse('tooManyRequests', { seconds: Math.ceil(wait / 1000) })
    const problem = row.problem === 'checksPaused' ? { problem: null, problem_since: null } : {}
    await updateDomain(trx, row, { ...problem, asked_at: now, checks_since: now, next_check_at: now })
    await deps.certificates.wake(trx, row.number)
  })
}

/** Tries now to get the certificates that failed. */
export async function retryHttps(deps: DomainDeps, caller: Caller, domain: string): Promise<DomainHttps> {
  return await deps.db.transaction().execute(async (trx) => {
    const { number } = await lockDomain(deps, trx, caller, domain)
    await deps.certificates.wake(trx, number)
    await publishChange(trx, { account: caller.userid, topic: 'domain', id: String(number) })
    return await deps.certificates.describe(trx, number)
  })
}

/** Drops the certificate that a visit of `name` ordered. Safe to repeat. */
export async function removeCertificate(
  deps: DomainDeps,
  caller: Caller,
  { domain, name }: { domain: string; name: string },
): Promise<void> {
  const certificateName = name.trim().toLowerCase()
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockDomain(deps, trx, caller, domain)
    const id = String(row.number)
    const removed = await deps.certificates.remove(trx, row.number, certificateName)
    if (removed === 'stays') refuse('certificateStays', { name: certificateName })
    if (removed === 'none') return
    await recordAudit(trx, {
      ...sourceOf(caller),
      action: 'domain.removeCertificate',
      object: { kind: 'domain', id, owner: row.userid, name: row.name },
      before: { certificateName },
      after: null,
    })
    await publishChange(trx, { account: caller.userid, topic: 'domain', id })
  })
}

export interface MethodOrder extends DomainOrder {
  method: DomainMethod
  /** The owner's records that the zone begins with. */
  records?: TypedRecord[] | undefined
}

export async function changeMethod(deps: DomainDeps, caller: Caller, order: MethodOrder): Promise<Domain> {
  return await withDomain(deps, caller, order.domain, async (trx, row, now) => {
    const { method } = order
    if (row.method === method) return
    requireEvent(row, 'switched')
    requireMethod(deps, { domain: row.name, isApex: row.is_apex }, method, order.confirm)
    // One that was lost stays so until it leads here again, and a move has its time from when it began.
    const isMoving = row.problem === 'methodWaits' || row.problem === 'delegationLost'
    const waits = isFinished(row.status) && !isMoving ? ({ problem: 'methodWaits', problem_since: now } as const) : {}
    await changeOwn(trx, caller, row, { method, ...checksFrom(now), ...waits }, 'domain.setMethod', now)
    if (method === 'ns' && order.records) await beginRecords(trx, row, order.records)
    // One that is linked is answered as before while its owner moves it.
    if (isFinished(row.status)) await serveDomain(deps, trx, { ...row, method })
    else if (method === 'ns') await deps.dns.setZone(trx, await zoneOf(deps, trx, row, false))
    else await deps.dns.removeZone(trx, { domain: row.name })
  })
}

/**
 * Starts over: another TXT record, and no zone. At a delegated apex our own zone hides the record: there the claim
 * stays proven if the check that follows at once sees the delegation, and lapses if it does not.
 */
export async function restartDomain(deps: DomainDeps, caller: Caller, domain: string): Promise<Domain> {
  return await withDomain(deps, caller, domain, async (trx, row, now) => {
    if (row.status === 'WAIT_TXT') return
    const keepsProof = isHidden(row)
    const status = requireEvent(row, keepsProof ? 'restartedProven' : 'restarted')
    const proof = keepsProof ? { unseen_since: lapsesNow(now) } : { ...unproven, txt_token: newTxtToken() }
    const rule = { rule_type: null, rule_data: null, full_string: null }
    await changeOwn(trx, caller, row, { status, ...proof, ...rule, ...checksFrom(now) }, 'domain.restart', now)
    await deps.credentials.revoke(trx, row.number)
    if (!keepsProof) await deps.dns.removeZone(trx, { domain: row.name })
  })
}

/** Ends the claim with all that it has. Refuses until the name of a linked domain is typed. */
export async function removeDomain(deps: DomainDeps, caller: Caller, order: DomainOrder): Promise<void> {
  // Of another's, or none, before the lock that everybody waits for who takes a name.
  await getDomain(deps, caller, order.domain)
  await deps.db.transaction().execute(async (trx) => {
    // Names go with their domain, and are locked before all else.
    await deps.names.lock(trx)
    const row = await lockDomain(deps, trx, caller, order.domain)
    if (isFinished(row.status)) requireTyped(row.name, order.confirm)
    await endClaim(deps, trx, row, sourceOf(caller))
  })
}

/** Says who may join; the last one wins. */
export async function setRule(
  deps: DomainDeps,
  caller: Caller,
  rule: { domain: string; ruleType: RuleType; ruleData: string },
): Promise<{ ruleType: RuleType; ruleData: string }> {
  const { ruleType } = rule
  const read = ruleType === 'fixed_email_suffix' ? parseSuffixes(rule.ruleData) : { suffixes: [] }
  if ('fault' in read) {
    if (read.fault === 'suffixPublic') await keepRefusal(deps, caller, rule.domain, String(read.params['suffix']))
    return refuse(read.fault, read.params)
  }
  const ruleData = read.suffixes.join(',')
  await withDomain(deps, caller, rule.domain, async (trx, row, now) => {
    const status = requireEvent(row, 'ruled')
    const isSame = row.rule_type === ruleType && row.rule_data === ruleData && row.status === status
    if (isSame && row.rule_refused === null) return
    const begins = status !== row.status ? checksFrom(now) : {}
    const zone = await serveDomain(deps, trx, row)
    const changes = { status, rule_type: ruleType, rule_data: ruleData, rule_refused: null, ...zone, ...begins }
    await changeOwn(trx, caller, row, changes, 'domain.setRule', now)
  })
  return { ruleType, ruleData }
}

/** The rule for joining a proven domain; empty while that is not decided. */
export async function getRule(
  deps: DomainDeps,
  domain: string,
): Promise<{ ruleType: RuleType | ''; ruleData: string }> {
  const row = await findProvenDomain(deps.db, nameToFind(domain))
  if (!row) refuse('notFound', { object: 'domain' })
  return { ruleType: row.rule_type ?? '', ruleData: row.rule_data ?? '' }
}

/** Runs `act` on the caller's locked row, has the domain checked, and gives it as it is then. */
async function withDomain(
  deps: DomainDeps,
  caller: Caller,
  domain: string,
  act: (trx: Trx, row: DomainRow, now: Date) => Promise<void>,
): Promise<Domain> {
  return await deps.db.transaction().execute(async (trx) => {
    const row = await lockDomain(deps, trx, caller, domain)
    await act(trx, row, deps.clock.now())
    await wakeDomain(trx, row.number)
    return await domainJson(deps, trx, await lockDomain(deps, trx, caller, domain))
  })
}

function readName(deps: DomainDeps, typed: string): DomainName {
  const name = parseDomainName(typed, deps.ownDomains)
  return isNameFault(name) ? refuse(name.fault, name.params) : name
}

/** Wallets pass over the refusal of the call: the domain's page says which rule was refused. */
async function keepRefusal(deps: DomainDeps, caller: Caller, domain: string, suffix: string): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockDomain(deps, trx, caller, domain)
    requireEvent(row, 'ruled')
    if (row.rule_refused === suffix) return
    await updateDomain(trx, row, { rule_refused: suffix })
    await publishChange(trx, { account: row.userid, topic: 'domain', id: String(row.number) })
  })
}

function requireMethod(deps: DomainDeps, name: DomainName, method: DomainMethod, confirm: string | undefined): void {
  if (method === 'cname') return
  if (deps.dns.nameServers.length === 0) refuse('domainNoNameServers')
  if (name.isApex) requireTyped(name.domain, confirm)
}

function requireTyped(domain: string, confirm: string | undefined): void {
  if (nameToFind(confirm ?? '') !== domain) refuse('domainConfirm', { domain })
}
