/**
 * The wallet's acts for its owner's domain: it applies for the credential, presents it, and takes the first name. Each
 * is safe to repeat: the same credential, the same answer, the same name.
 */

import type { Locale } from '@atoll/contract/wire'
import { z } from 'zod'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { Refusal, refuse } from '../../../platform/refusal.ts'
import { findAccountOfDid } from '../../accounts/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { serveDomain } from '../lifecycle/awaited.ts'
import { bySystem, changeDomain, checksFrom } from '../lifecycle/domain-events.ts'
import { endClaim } from '../lifecycle/end-claim.ts'
import { changeOwn, getDomain, lockDomain, requireEvent } from '../lifecycle/own-domain.ts'
import { wakeDomain } from '../lifecycle/wake-domain.ts'
import { nextStatus } from '../records/domain-state.ts'
import { type DomainRow, listDomains, lockOwnDomain } from '../records/domain-store.ts'
import { keepMember } from '../records/member-store.ts'

export const Issued = z.object({
  credential_response: z.looseObject({}),
  verifiableCredentials: z.array(z.string()),
  responseJwt: z.string(),
})
export type Issued = z.infer<typeof Issued>

interface WalletRequest {
  domain: string
  jws: string
  locale: Locale
}

/** Issues the credential that `jws` applies for; the one that was issued before is given again. */
export async function requestCredential(deps: DomainDeps, caller: Caller, request: WalletRequest): Promise<Issued> {
  const { number, name } = await getDomain(deps, caller, request.domain)
  const signed = { did: caller.did, domain: name, locale: request.locale }
  const application = await deps.credentials.readApplication(request.jws, signed)
  return await deps.db.transaction().execute(async (trx) => {
    const row = await lockDomain(deps, trx, caller, name)
    if (row.status === 'WAIT_SUBMIT_VP' && row.full_string !== null) return Issued.parse(JSON.parse(row.full_string))
    const status = requireEvent(row, 'issued')
    const issued = await deps.credentials.issue(trx, {
      number,
      domain: name,
      userid: caller.userid,
      did: caller.did,
      application,
    })
    await changeOwn(trx, caller, row, { status, full_string: JSON.stringify(issued) }, 'domain.issue', deps.clock.now())
    return Issued.parse(issued)
  })
}

export interface PresentationAnswer {
  status: 'approved' | 'denied'
  reason: string
  adminOlaresId?: string
}

/**
 * Takes the presentation that `jws` signs. `adminName`: the name that the owner takes at once, with its domain or
 * without; nobody else may join uninvited then. A fault is returned as an answer, as wallets read nothing else.
 */
export async function submitPresentation(
  deps: DomainDeps,
  caller: Caller,
  request: WalletRequest & { adminName?: string | undefined },
): Promise<PresentationAnswer> {
  const { number, name: domain } = await getDomain(deps, caller, request.domain)
  try {
    const adminName = request.adminName === undefined ? undefined : readAdminName(request.adminName, domain)
    const signed = { did: caller.did, userid: caller.userid, domain, locale: request.locale, number }
    const presented = await deps.credentials.readPresentation(request.jws, signed)
    await deps.db.transaction().execute(async (trx) => {
      if (adminName !== undefined) await deps.names.lock(trx)
      const row = await lockDomain(deps, trx, caller, domain)
      if (await deps.credentials.takeNonce(trx, caller.userid, presented)) return
      await approve(deps, trx, caller, row, adminName)
    })
    return { status: 'approved', reason: '', ...(adminName !== undefined && { adminOlaresId: adminName }) }
  } catch (error) {
    if (error instanceof Refusal) return { status: 'denied', reason: error.sentence(request.locale) }
    throw error
  }
}

async function approve(deps: DomainDeps, trx: Trx, caller: Caller, row: DomainRow, adminName: string | undefined) {
  const now = deps.clock.now()
  if (adminName === undefined)
    return await changeOwn(trx, caller, row, { status: requireEvent(row, 'approved') }, 'domain.present', now)
  const status = requireEvent(row, 'approvedNamed')
  await deps.names.take(trx, { did: caller.did, name: adminName })
  const name = adminName.slice(0, adminName.indexOf('@'))
  await keepMember(trx, { domain: row.number, name, did: caller.did, at: now })
  const rule = { rule_type: 'specified_email_address', rule_data: '' } as const
  const zone = await serveDomain(deps, trx, row)
  await changeOwn(trx, caller, row, { status, ...rule, ...zone, ...checksFrom(now) }, 'domain.present', now)
  await wakeDomain(trx, row.number)
}

/** Whether `did` may take a name under `domain`: it is theirs, and ready. `trx` holds the names' lock. */
export async function mayTakeName(trx: Trx, { did, domain }: { did: string; domain: string }): Promise<boolean> {
  const userid = await findAccountOfDid(trx, did)
  const row = userid === undefined ? undefined : await lockOwnDomain(trx, userid, domain)
  return row?.status === 'BIND'
}

/**
 * The account took `name`: its domain is in use, and its other claims end, as a DID with a name links no domain. `trx`
 * holds the names' lock.
 */
export async function onNameTaken(deps: DomainDeps, trx: Trx, { did, name }: { did: string; name: string }) {
  const userid = await findAccountOfDid(trx, did)
  // A name may come before the account, which is made by the first signing in; claims come with the names' lock.
  if (userid === undefined) return
  const claims = await listDomains(trx, userid)
  if (claims.length === 0) return
  await deps.lockAccount(trx, userid)
  const now = deps.clock.now()
  for (const { name: domain } of claims) {
    const row = await lockOwnDomain(trx, userid, domain)
    if (!row) continue
    const status = name.endsWith(`@${domain}`) ? nextStatus(row.status, 'named') : undefined
    if (status) {
      await keepMember(trx, { domain: row.number, name: name.slice(0, name.indexOf('@')), did, at: now })
      await changeDomain(trx, row, { status }, { source: bySystem, action: 'domain.allocate', now })
    }
    if (!name.endsWith(`@${domain}`)) await endClaim(deps, trx, row, bySystem)
  }
}

/** The local part has 2 to 24 characters here; what else it must be is decided with all names. */
function readAdminName(typed: string, domain: string): string {
  const name = typed.includes('@') ? typed : `${typed}@${domain}`
  if (!/^[a-z0-9]{2,24}@/.test(name) || !name.endsWith(`@${domain}`)) refuse('adminNameMalformed', { domain })
  return name
}
