/**
 * Taking an ID under somebody's domain, asked for by a signature of whoever takes it: with a one-time password, or,
 * signed in, with an email that the domain's rule names. Member, name and record are one transaction under the names'
 * lock. The same person joining again gets the same answer.
 */
import { JoinPayload } from '@atoll/contract/domains'
import type { Locale } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { readParameters } from '../../../platform/parameters.ts'
import { refuse } from '../../../platform/refusal.ts'
import { recordAudit } from '../../audit/index.ts'
import { verifySignedRequest } from '../../identity/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { isFinished } from '../lifecycle/domain-state.ts'
import { nameToFind } from '../own-domain.ts'
import { type DomainRow, findProvenDomain, lockProvenDomain } from '../store/domain-store.ts'
import { onNameTaken } from '../wallet-service.ts'
import { localPart, recordMember } from './invite.ts'
import { isUsable } from './member-json.ts'
import { keepMember, lockMember, updateMember } from './member-store.ts'
import { isPassword } from './one-time-password.ts'
import { hostOf, isAtGoogle } from './org-email.ts'

export interface JoinRequest {
  jws: string
  locale: Locale
  /** Address of the sender. */
  ip: string
}

/** `caller`: whoever is signed in; a wallet that is not can join with a password alone. Gives `name@domain`. */
export async function joinDomain(deps: DomainDeps, request: JoinRequest, caller?: Caller): Promise<string> {
  const { locale, ip } = request
  const signed = await verifySignedRequest(request.jws, { now: deps.clock.now(), locale })
  const { did } = signed
  if (caller && caller.userid !== did) refuse('signedByOther')
  const payload = readParameters(JoinPayload, signed.payload, locale)
  const domain = nameToFind(payload.org_domain)
  const found = requireOpen(await findProvenDomain(deps.db, domain), payload.org_domain)
  const name = localPart(payload.member_name, domain)
  const whole = `${name}@${found.name}`
  if ((await deps.findNameOf(deps.db, did)) === whole) return whole

  const password = payload.member_password
  if (!caller && password === '') refuse('joinRefused')
  const email = caller && (await requireEmail(deps, caller, found, password === ''))
  const isRight = await deps.db.transaction().execute(async (trx) => {
    await deps.names.lock(trx)
    const row = requireOpen(await lockProvenDomain(trx, found.name), payload.org_domain)
    if (password !== '') {
      if (!(await takePassword(deps, trx, row, name, password))) return false
    } else {
      requireRule(row, email)
      // Whoever was invited to a name has it until the invitation is taken back.
      if (await lockMember(trx, row.number, name)) refuse('nameTaken', { name: whole })
    }
    await deps.names.take(trx, { did, name: whole })
    await keepMember(trx, { domain: row.number, name, did, email, at: deps.clock.now() })
    await onNameTaken(deps, trx, { did, name: whole })
    const source = { actor: { userid: did, sessionId: caller?.sessionId ?? null }, ip }
    await recordMember(trx, source, 'domain.join', row, { name, email: email ?? null })
    await recordAudit(trx, {
      ...source,
      action: 'account.bindName',
      object: { kind: 'account', id: did, owner: did },
      before: { name: null },
      after: { name: whole },
    })
    return true
  })
  // Refused only now: a refusal inside would have given the try back.
  return isRight ? whole : refuse('joinRefused')
}

function requireOpen(row: DomainRow | undefined, typed: string): DomainRow {
  if (!row || !isFinished(row.status)) return refuse('organizationUnknown', { domain: typed.slice(0, 200) })
  if (row.problem === 'delegationLost') refuse('domainUnreachable', { domain: row.name })
  return row
}

/** False: a wrong one, which costs a try. */
async function takePassword(deps: DomainDeps, trx: Trx, row: DomainRow, name: string, typed: string): Promise<boolean> {
  const member = await lockMember(trx, row.number, name)
  if (!member || member.did !== null || !isUsable(member, deps.clock.now())) return false
  if (isPassword(deps.sealer, { id: member.id, hash: member.password_hash }, typed)) return true
  await updateMember(trx, member.id, { tries_left: member.tries_left - 1 })
  return false
}

/** The account's proven email, where it is what an organization's account needs. */
async function requireEmail(
  { db, dns, config, findAddressee }: DomainDeps,
  { userid }: Caller,
  row: DomainRow,
  byRule: boolean,
): Promise<string | undefined> {
  const email = (await findAddressee(db, userid))?.email
  if (byRule) requireRule(row, email)
  if (config.orgEmail === 'any') return email
  const fits = email !== undefined && (await isAtGoogle(dns, email))
  if (fits === undefined) refuse('organizationEmailUnknown', { host: hostOf(email ?? '') })
  return fits ? email : refuse('organizationEmail')
}

/** Refuses unless the domain's rule names the host of `email`. */
function requireRule(row: DomainRow, email: string | undefined): void {
  const domain = row.name
  if (row.rule_type !== 'fixed_email_suffix') refuse('joinInvitedOnly', { domain })
  const named = (row.rule_data ?? '').split(',')
  const suffixes = named.join(', ')
  if (email === undefined) refuse('joinEmailMissing', { domain, suffixes })
  if (!named.includes(hostOf(email))) refuse('joinEmailOther', { domain, email, suffixes })
}
