import { BindableName, BindNamePayload, CreateLocalPayload } from '@atoll/contract/identity'
import { clockSkewMs, type Locale, signInCodeLifetimeMs } from '@atoll/contract/wire'
import { didOfKeyId, minutesBetween } from '@atoll/did'
import { findHold } from '../../platform/careful/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { readParameters } from '../../platform/parameters.ts'
import { refuse } from '../../platform/refusal.ts'
import {
  deleteNamesUnder,
  deleteRemovedName,
  findAccountOf,
  findDidOf,
  findLastHolder,
  findNameOfDid,
  insertDid,
  insertName,
  isRegistered,
  lockNames,
} from './name-store.ts'
import { findRest } from './resting-names.ts'
import { verifySignedRequest } from './signed-request.ts'

/**
 * Local parts nobody can bind. A name becomes the first label of a web address (`name.domain`) and is read by people
 * as a sender, so two kinds are kept back: labels that software queries or trusts, and words that pass for us.
 * Only letters and digits: other names cannot be bound anyway.
 */
const reserved = new Set(
  [
    // Role mailboxes (RFC 2142), and what certificate authorities write to (CA/Browser Forum BR §3.2.2.4.4)
    'abuse admin administrator billing ftp hostmaster info marketing news noc postmaster root sales security support usenet uucp webmaster',
    // Labels that clients look up automatically, or that a browser treats as its own machine
    'autoconfig autodiscover broadcasthost isatap local localdomain localhost loopback mtasts wpad',
    // Hosts every domain is expected to have
    'cdn dns email ftps gateway git imap ldap mail mx mx1 mx2 ns ns1 ns2 ns3 ns4 ntp pop pop3 proxy sftp smtp ssh vpn www www1 www2 www3 web webmail',
    // Parts of this service
    'account accounts activation agent api app apps assets auth backup backups bill cloud cluster clusters console dashboard deploy dev docs domain domains download downloads edge',
    'files home identity instance instances internal invoice login logout metrics oauth pay payment payments portal prod production register registry resolver server session',
    'settings signin signup sso staging static status stg store sts system token update updates vault wallet wizard',
    // Words that speak for us or for everybody
    'all anonymous anyone bot contact everybody everyone guest help helpdesk legal me mod moderator nobody notifications official operator owner press privacy service staff',
    'superuser sudo sysadmin team terms trust user username users verify',
    // Values that programs confuse with nothing
    'false nan nil none null true undefined unknown void',
    // The identity app that people trust with their keys
    'larepass olares terminus',
  ].flatMap((line) => line.split(' ')),
)

/** Characters before the @. */
const shortName = 2

/** A name that was bound to a DID by its signature, from `ip`. */
export interface NameBound {
  did: string
  name: string
  ip: string
}

export interface NameServiceDeps {
  db: Db
  clock: Clock
  /** Domains under which names are offered, such as `atoll.test`; the product's name is reserved under each. */
  config: { nameDomains: readonly string[]; product: string }
  /** Whether `did` may take a name under `domain`, which is none of those above; decided while names are locked. */
  mayTakeName?(trx: Trx, request: { did: string; domain: string }): Promise<boolean>
  /** Counts an ID of one or two characters, of which there are few, for the address that asks; refuses too many. */
  countShortName?(ip: string): Promise<void>
  /** Told in the transaction that binds a name. */
  onNameBound?(trx: Trx, bound: NameBound): Promise<void>
}

/** A signed request, and the language its sender reads. */
export interface JwsRequest {
  jws: string
  locale: Locale
  /** Address of the sender. */
  ip: string
}

/** Registers the DID that signed `request` (wire: `create_local`). Safe to repeat. */
export async function registerDid({ db, clock }: NameServiceDeps, request: JwsRequest): Promise<void> {
  const now = clock.now()
  const { did, payload } = await verifySignedRequest(request.jws, { now, locale: request.locale })
  requireSigner(readParameters(CreateLocalPayload, payload, request.locale).did, did)
  await insertDid(db, did, now)
}

/**
 * Binds a name to the DID that signed `request` (wire: `bind_name`) and gives it. The same name for the same DID again
 * is a success. Everything is decided under one lock, so a name or a DID cannot be taken in between.
 */
export async function bindName(deps: NameServiceDeps, request: JwsRequest): Promise<string> {
  const { db, clock, config } = deps
  const now = clock.now()
  const { did, payload } = await verifySignedRequest(request.jws, { now, locale: request.locale })
  const asked = readParameters(BindNamePayload, payload, request.locale)
  requireSigner(asked.did, did)
  requireRecent(asked.time, now)
  const { name, domain } = requireWellFormed(asked.name, config)

  if (name.indexOf('@') <= shortName) await deps.countShortName?.(request.ip)

  await db.transaction().execute(async (trx) => {
    await lockNames(trx)
    // Asked once more: who takes the first name under a domain of their own is offered no second one there.
    if ((await findNameOfDid(trx, did)) === name) return
    const isOffered = config.nameDomains.includes(domain) || (await deps.mayTakeName?.(trx, { did, domain })) === true
    if (!isOffered) refuse('nameDomain', { domain, domains: config.nameDomains.join(', ') })
    if (await bindIfFree(deps, trx, { did, name })) await deps.onNameBound?.(trx, { did, name, ip: request.ip })
  })
  return name
}

/**
 * Binds `name`, whose domain the caller vouches for, in the caller's transaction, which holds the names' lock
 * (`lockNames`) from its beginning. The same name again is a success; refuses as `bindName` does.
 */
export async function takeName(deps: NameServiceDeps, trx: Trx, request: NameRequest): Promise<void> {
  requireWellFormed(request.name, deps.config)
  await bindIfFree(deps, trx, request)
}

export interface NameRequest {
  did: string
  name: string
  /** The owner of its domain gives it away: that it was taken from a member is no reason to refuse it. */
  isGiven?: boolean
}

/** The DID that alone may bind a name that was given up, and until when. */
export interface NameKept {
  /** Null: nobody, as the owner of its domain ended it; they can give it away. */
  did: string | null
  until: Date
}

/**
 * Refuses a name that cannot be bound, or that somebody has; `name` is whole. Gives whom it is kept for, as only the
 * caller knows whether it is asked for them.
 */
export async function requireFreeName(
  { clock, config }: Pick<NameServiceDeps, 'clock' | 'config'>,
  db: Db,
  name: string,
): Promise<NameKept | undefined> {
  requireWellFormed(name, config)
  if ((await findDidOf(db, name)) !== null) refuse('nameTaken', { name })
  return await findKept(db, name, clock.now())
}

/** Frees every name under `domain`; each is kept for its DID for a year. Gives the DIDs. */
export async function releaseNames(
  { clock }: Pick<NameServiceDeps, 'clock'>,
  trx: Trx,
  domain: string,
): Promise<string[]> {
  await lockNames(trx)
  const dids = await deleteNamesUnder(trx, domain, clock.now())
  for (const did of dids) await publishPerson(trx, did)
  return dids
}

/** Ends the name of a member whom the domain's owner removed: it is kept from everybody for a year. Safe to repeat. */
export async function removeName(
  { clock }: Pick<NameServiceDeps, 'clock'>,
  trx: Trx,
  removed: { did: string; name: string },
): Promise<void> {
  await lockNames(trx)
  if (await deleteRemovedName(trx, removed, clock.now())) await publishPerson(trx, removed.did)
}

/** To the account of a DID; one that has none here watches nothing. */
async function publishPerson(trx: Trx, did: string): Promise<void> {
  const account = await findAccountOf(trx, did)
  if (account !== undefined) await publishChange(trx, { account, topic: 'account', id: account })
}

/** False: the DID has this very name already. */
async function bindIfFree(
  { clock }: NameServiceDeps,
  trx: Trx,
  { did, name, isGiven = false }: NameRequest,
): Promise<boolean> {
  const now = clock.now()
  if (!(await isRegistered(trx, did))) refuse('didUnknown')
  const ownName = await findNameOfDid(trx, did)
  if (ownName === name) return false
  if (ownName !== null) refuse('alreadyNamed', { name: ownName })
  if ((await findDidOf(trx, name)) !== null) refuse('nameTaken', { name })
  const kept = await findKept(trx, name, now)
  if (kept?.did === null && !isGiven) refuse('nameRemoved', { name, date: utcDay(kept.until) })
  if (kept && kept.did !== null && kept.did !== did) refuse('nameKept', { name, date: utcDay(kept.until) })
  await insertName(trx, { name, did, bound_at: now })
  await publishPerson(trx, did)
  return true
}

/**
 * How long a name that was given up is reserved for its last holder, and one that the domain's owner ended is kept from
 * everybody, ms.
 */
const keptForMs = 365 * 24 * 60 * 60_000

async function findKept(db: Db, name: string, now: Date): Promise<NameKept | undefined> {
  // Taking a name is final: while the clock is in doubt the reservation is not over.
  const isKept = async (until: Date) =>
    until > now || (await findHold(db, { waits: 'deadline', dueAt: until })) !== undefined
  // Of an erased account; one whose rest is over may have had a holder since.
  const rest = await findRest(db, { name })
  if (rest && (await isKept(rest))) return { did: null, until: rest }
  const last = await findLastHolder(db, name)
  if (!last) return undefined
  const until = new Date(last.released_at.getTime() + keptForMs)
  return (await isKept(until)) ? { did: last.is_removal ? null : last.did, until } : undefined
}

/** A day as both languages write it, `2026-11-23`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** The signed `did`, with or without its fragment, must be the signer's own. */
function requireSigner(signedDid: string, signer: string): void {
  const did = didOfKeyId(signedDid)
  if (did === undefined) refuse('didMalformed')
  if (did !== signer) refuse('jwsIssuer')
}

function requireRecent(time: number, now: Date): void {
  const age = now.getTime() - time
  if (age > signInCodeLifetimeMs + clockSkewMs)
    refuse('signedLongAgo', { minutes: minutesBetween(time, now.getTime()) })
  if (age < -clockSkewMs) refuse('clockAhead', { minutes: minutesBetween(time, now.getTime()) })
}

/** `name` when it is well formed and not reserved, and its domain. */
function requireWellFormed(name: string, config: NameServiceDeps['config']): { name: string; domain: string } {
  if (!BindableName.safeParse(name).success) refuse('nameMalformed')
  const [localPart = '', domain = ''] = name.split('@')
  if (isReservedName(localPart, config.product)) refuse('nameReserved', { name })
  return { name, domain }
}

/** Whether `localPart` cannot be bound; the product's own name is reserved too. */
function isReservedName(localPart: string, product: string): boolean {
  return reserved.has(localPart) || localPart === product.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
