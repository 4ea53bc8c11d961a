/**
 * What a person does with their domains. The account is locked first, then the row; DNS is read by a job
 * (lifecycle/job.ts). Somebody else's domain is as one that does not exist.
 */
import {
  checkPauseMs,
  type Domain,
  type DomainMethod,
  mostUnfinishedDomains,
  type RuleType,
} from '@atoll/contract/domains'
import type { Caller } from '../../platform/caller.ts'
import type { Trx } from '../../platform/db/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { once } from '../../platform/requests/index.ts'
import type { DomainDeps } from './domain-deps.ts'
import { serveDomain, zoneOf } from './lifecycle/awaited.ts'
import { actionsOf } from './lifecycle/domain-actions.ts'
import { checksFrom, recordDomain } from './lifecycle/domain-events.ts'
import { isFinished } from './lifecycle/domain-state.ts'
import { endClaim } from './lifecycle/end-claim.ts'
import { wakeDomain } from './lifecycle/wake-domain.ts'
import { type DomainName, isNameFault, parseDomainName } from './names/domain-name.ts'
import { parseSuffixes } from './names/email-suffixes.ts'
import { newTxtToken } from './names/txt-record.ts'
import { changeOwn, lockDomain, nameToFind, refuseNow, requireEvent, sourceOf } from './own-domain.ts'
import {
  type DomainRow,
  findLastProven,
  findProvenDomain,
  findRival,
  insertDomain,
  listDomains,
  lockProofs,
  updateDomain,
} from './store/domain-store.ts'
import { domainJson } from './views/domain-json.ts'

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
    // Who takes a name meanwhile links no domain: one of the two comes first.
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
    if (rival?.relation === 'parent') refuse('domainParentProven', { other: rival.name })
    if (rival?.relation === 'child') refuse('domainChildProven', { other: rival.name })
    const method = order.method ?? (dns.nameServers.length > 0 && !name.isApex ? 'ns' : 'cname')
    requireMethod(deps, name, method, order.confirm)
    const now = clock.now()
    const isProven = name.isApex && (await keepsProof(trx, caller.userid, name.domain, now))
    const row = await insertDomain(trx, {
      userid: caller.userid,
      name: name.domain,
      is_apex: name.isApex,
      method,
      ...(isProven ? { status: 'WAIT_NS', proven_at: now } : { status: 'WAIT_TXT' }),
      txt_token: newTxtToken(),
      checks_since: now,
      next_check_at: now,
      created_at: now,
      updated_at: now,
    })
    await recordDomain(trx, sourceOf(caller), 'domain.add', { before: null, after: row })
    if (isProven && method === 'ns') await deps.dns.setZone(trx, await zoneOf(deps, trx, row, false))
    await wakeDomain(trx, row.number)
    return await domainJson(deps, trx, row)
  })
}

/** How long a proof outlives the claim to an apex, ms. */
const proofKeptMs = 7 * 24 * 60 * 60_000

/**
 * Whether the account needs no new TXT record: it had proven the name a few days ago, and nobody else has since. At a
 * delegated apex there would be no place for one: what is asked of it comes to our servers.
 */
async function keepsProof(trx: Trx, userid: string, domain: string, now: Date): Promise<boolean> {
  await lockProofs(trx, domain)
  const last = await findLastProven(trx, domain)
  return (
    last?.userid === userid && last.released_at !== null && now.getTime() - last.released_at.getTime() < proofKeptMs
  )
}

/** Looks at DNS now and begins the checks anew. */
export async function checkDomain(deps: DomainDeps, caller: Caller, domain: string): Promise<Domain> {
  return await withDomain(deps, caller, domain, async (trx, row, now) => {
    if (!actionsOf(row).includes('check')) refuseNow(row)
    const wait = row.asked_at ? row.asked_at.getTime() + checkPauseMs - now.getTime() : 0
    if (wait > 0) refuse('tooManyRequests', { seconds: Math.ceil(wait / 1000) })
    const problem = row.problem === 'checksPaused' ? { problem: null, problem_since: null } : {}
    await updateDomain(trx, row, { ...problem, asked_at: now, checks_since: now, next_check_at: now })
  })
}

export async function changeMethod(deps: DomainDeps, caller: Caller, order: DomainOrder & { method: DomainMethod }) {
  return await withDomain(deps, caller, order.domain, async (trx, row, now) => {
    const { method } = order
    if (row.method === method) return
    requireEvent(row, 'switched')
    requireMethod(deps, { domain: row.name, isApex: row.is_apex }, method, order.confirm)
    const waits = isFinished(row.status) ? ({ problem: 'methodWaits', problem_since: now } as const) : {}
    await changeOwn(trx, caller, row, { method, ...checksFrom(now), ...waits }, 'domain.setMethod', now)
    // One that is linked is answered as before while its owner moves it.
    if (isFinished(row.status)) await serveDomain(deps, trx, { ...row, method })
    else if (method === 'ns') await deps.dns.setZone(trx, await zoneOf(deps, trx, row, false))
    else await deps.dns.removeZone(trx, { domain: row.name })
  })
}

/** Starts over: another TXT record, and no zone. */
export async function restartDomain(deps: DomainDeps, caller: Caller, domain: string): Promise<Domain> {
  return await withDomain(deps, caller, domain, async (trx, row, now) => {
    if (row.status === 'WAIT_TXT') return
    // At a delegated apex our own zone is the only place for the record.
    const keepsProof = row.is_apex && row.method === 'ns'
    const status = requireEvent(row, keepsProof ? 'restartedProven' : 'restarted')
    const anew = keepsProof ? {} : { proven_at: null, txt_token: newTxtToken() }
    const rule = { rule_type: null, rule_data: null, full_string: null }
    await changeOwn(trx, caller, row, { status, ...anew, ...rule, ...checksFrom(now) }, 'domain.restart', now)
    await deps.credentials.revoke(trx, row.number)
    if (!keepsProof) await deps.dns.removeZone(trx, { domain: row.name })
  })
}

/** Ends the claim with all that it has. Refuses until the name of a linked domain is typed. */
export async function removeDomain(deps: DomainDeps, caller: Caller, order: DomainOrder): Promise<void> {
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
  const ruleData = ruleType === 'fixed_email_suffix' ? readSuffixes(rule.ruleData) : ''
  await withDomain(deps, caller, rule.domain, async (trx, row, now) => {
    const status = requireEvent(row, 'ruled')
    if (row.rule_type === ruleType && row.rule_data === ruleData && row.status === status) return
    const begins = status !== row.status ? checksFrom(now) : {}
    const zone = await serveDomain(deps, trx, row)
    const changes = { status, rule_type: ruleType, rule_data: ruleData, ...zone, ...begins }
    await changeOwn(trx, caller, row, changes, 'domain.setRule', now)
  })
  return { ruleType, ruleData }
}

/** Who may join a domain that somebody has proven; empty while that is not decided. */
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

function readSuffixes(typed: string): string {
  const read = parseSuffixes(typed)
  return 'fault' in read ? refuse(read.fault, read.params) : read.suffixes.join(',')
}

function requireMethod(deps: DomainDeps, name: DomainName, method: DomainMethod, confirm: string | undefined): void {
  if (method === 'cname') return
  if (deps.dns.nameServers.length === 0) refuse('domainNoNameServers')
  if (name.isApex) requireTyped(name.domain, confirm)
}

function requireTyped(domain: string, confirm: string | undefined): void {
  if (nameToFind(confirm ?? '') !== domain) refuse('domainConfirm', { domain })
}
