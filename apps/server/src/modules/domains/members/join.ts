/**
 * Taking an ID under somebody's domain, requested with a signature of the person who takes it: with a one-time
 * password, or, signed in, with an email that the domain's rule names. Member, name and record are one transaction
 * under the names' lock. The same person joining again gets the same answer.
 */
import { JoinPayload } from '@atoll/contract/domains'
import type { Locale } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import { readParameters } from '../../../platform/parameters.ts'
import { refuse } from '../../../platform/refusal.ts'
import { recordAudit } from '../../audit/index.ts'
import { findNameOfDid, verifySignedRequest } from '../../identity/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { nameToFind } from '../lifecycle/own-domain.ts'
import { isFinished } from '../records/domain-state.ts'
import { type DomainRow, findProvenDomain, lockProvenDomain } from '../records/domain-store.ts'
import { findMember, keepMember, lockMember, type MemberRow } from '../records/member-store.ts'
import { onNameTaken } from '../wallet/wallet-service.ts'
import { localPart, recordMember } from './invite.ts'
import { isUsable } from './member-json.ts'
import { isPassword } from './one-time-password.ts'

/** Which emails the account of an organization may have (spec §5: Gmail or Google Workspace). */
const gmail = new Set(['gmail.com', 'googlemail.com'])
/** Domains of the mail servers that Google's customers have to name. */
const googleServers = ['google.com', 'googlemail.com']

export interface JoinRequest {
  jws: string
  locale: Locale
  /** Address of the sender. */
  ip: string
}

/** `caller`: the signed-in account; without one, a wallet can join only with a password. Returns `name@domain`. */
export async function joinDomain(deps: DomainDeps, request: JoinRequest, caller?: Caller): Promise<string> {
  const { locale, ip } = request
  const signed = await verifySignedRequest(request.jws, { now: deps.clock.now(), locale })
  const { did } = signed
  if (caller && caller.did !== did) refuse('signedByOther')
  const payload = readParameters(JoinPayload, signed.payload, locale)
  const domain = nameToFind(payload.org_domain)
  const found = requireOpen(await findProvenDomain(deps.db, domain), payload.org_domain)
  const name = localPart(payload.member_name, domain)
  const whole = `${name}@${found.name}`
  if ((await findNameOfDid(deps.db, did)) === whole) return whole

  const password = payload.member_password
  if (!caller && password === '') refuse('joinRefused')
  // Before the lock that everybody waits for who takes a name.
  if (password !== '') requirePassword(deps, await findMember(deps.db, found.number, name), password)
  const email = caller && (await requireEmail(deps, caller, found, password === ''))
  return await deps.db.transaction().execute(async (trx) => {
    await deps.names.lock(trx)
    const row = requireOpen(await lockProvenDomain(trx, found.name), payload.org_domain)
    if (password !== '') {
      // It may have been used or taken back meanwhile.
      requirePassword(deps, await lockMember(trx, row.number, name), password)
    } else {
      requireRule(row, email)
      // A name with an invitation is reserved for the invited person until the invitation is withdrawn.
      if (await lockMember(trx, row.number, name)) refuse('nameTaken', { name: whole })
    }
    // An invitation is how the owner gives a name away.
    await deps.names.take(trx, { did, name: whole, isGiven: password !== '' })
    await keepMember(trx, { domain: row.number, name, did, email, at: deps.clock.now() })
    await onNameTaken(deps, trx, { did, name: whole })
    const source = {
      // A person who joins without signing in need not have an account: the record names the DID.
      actor: { userid: did, sessionId: caller?.sessionId ?? null },
      ip,
    }
    await recordMember(trx, source, 'domain.join', row, { name, email: email ?? null })
    await recordAudit(trx, {
      ...source,
      action: 'account.bindName',
      object: { kind: 'account', id: did, owner: did },
      before: { name: null },
      after: { name: whole },
    })
    return whole
  })
}

function requireOpen(row: DomainRow | undefined, typed: string): DomainRow {
  if (!row || !isFinished(row.status)) return refuse('organizationUnknown', { domain: typed.slice(0, 200) })
  if (row.problem === 'delegationLost') refuse('domainUnreachable', { domain: row.name })
  return row
}

/** Refuses a wrong one. It costs nothing: the password has 60 bits, and guesses are slowed per network. */
function requirePassword(deps: DomainDeps, member: MemberRow | undefined, typed: string): void {
  const isOpen = member?.did === null && isUsable(member, deps.clock.now())
  if (!isOpen || !isPassword(deps.sealer, { id: member.id, hash: member.password_hash }, typed)) refuse('joinRefused')
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

/** Undefined: it is unknown who takes mail for it. */
async function isAtGoogle(
  dns: Pick<DomainDeps['dns'], 'findMailServers'>,
  email: string,
): Promise<boolean | undefined> {
  const host = hostOf(email)
  if (gmail.has(host)) return true
  const servers = await dns.findMailServers(host)
  return servers?.some((server) => googleServers.some((google) => server.endsWith(`.${google}`)))
}

/** Lower case, A-labels, as emails are stored. */
function hostOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1)
}
