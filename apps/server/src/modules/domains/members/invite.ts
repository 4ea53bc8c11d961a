/**
 * Invitations to an ID under a domain. Only its owner makes them, under the account's lock and the domain's row. A
 * one-time password is shown once; each new one ends the one before.
 */
import {
  type DomainsAuditAction,
  type Invited,
  invitationMailPauseMs,
  invitationMailsPerHour,
  mostInvitations,
  oneTimePasswordLifetimeMs,
} from '@atoll/contract/domains'
import type { Locale } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { mailboxKey, normaliseEmail } from '../../accounts/index.ts'
import { type AuditSource, recordAudit } from '../../audit/index.ts'
import { utcDay } from '../../identity/index.ts'
import { domainMail } from '../../mail/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { lockDomain, refuseNow, sourceOf } from '../lifecycle/own-domain.ts'
import { isFinished } from '../records/domain-state.ts'
import type { DomainRow } from '../records/domain-store.ts'
import {
  countInvitations,
  deleteMember,
  insertInvitationMail,
  insertMember,
  listInvitationMails,
  lockInvitationMails,
  lockMember,
  type MemberRow,
  updateMember,
} from '../records/member-store.ts'
import { memberJson } from './member-json.ts'
import { hashPassword, newOneTimePassword } from './one-time-password.ts'

const hourMs = 60 * 60_000

interface Asked {
  domain: string
  name: string
  locale: Locale
}

/** Invites `name`. The same request again returns another password, as the first one is not kept. */
export async function inviteMember(
  deps: DomainDeps,
  caller: Caller,
  { locale, ...body }: Asked & { email?: string | undefined; requestId?: string | undefined },
): Promise<Invited> {
  const name = localPart(body.name, body.domain)
  const email = body.email === undefined || body.email.trim() === '' ? undefined : readEmail(body.email)
  let oneTimePassword = ''
  const answer = await once(
    deps,
    { owner: caller.userid, call: 'memberAdd', body },
    async (trx) => {
      const row = await lockDomain(deps, trx, caller, body.domain)
      if (!isFinished(row.status)) refuseNow(row)
      await requireInvitable(deps, trx, `${name}@${row.name}`, email)
      if (await lockMember(trx, row.number, name)) refuse('memberExists', { name })
      if ((await countInvitations(trx, row.number)) >= mostInvitations)
        refuse('invitationsTooMany', { most: mostInvitations })
      const added = await insertMember(trx, { domain: row.number, name, created_at: deps.clock.now() })
      const issued = await issuePassword(deps, trx, caller, row, added, { email, locale, action: 'domain.invite' })
      oneTimePassword = issued.oneTimePassword
      return { member: issued.member, mailed: issued.mailed }
    },
    async (trx, kept) => {
      const row = await lockDomain(deps, trx, caller, body.domain)
      const invited = await lockInvited(trx, row, name)
      const issued = await issuePassword(deps, trx, caller, row, invited, { locale, action: 'domain.renewInvite' })
      oneTimePassword = issued.oneTimePassword
      return { ...kept, member: issued.member }
    },
  )
  return { ...answer, oneTimePassword }
}

/** Makes another password; with `email` it is mailed there. */
export async function renewInvitation(
  deps: DomainDeps,
  caller: Caller,
  { domain, name, locale, email: typed }: Asked & { email?: string },
): Promise<Invited> {
  const email = typed === undefined ? undefined : readEmail(typed)
  return await deps.db.transaction().execute(async (trx) => {
    const row = await lockDomain(deps, trx, caller, domain)
    const invited = await lockInvited(trx, row, localPart(name, domain))
    return await issuePassword(deps, trx, caller, row, invited, { email, locale, action: 'domain.renewInvite' })
  })
}

export async function withdrawInvitation(deps: DomainDeps, caller: Caller, { domain, name }: Omit<Asked, 'locale'>) {
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockDomain(deps, trx, caller, domain)
    const invited = await lockInvited(trx, row, localPart(name, domain))
    await deleteMember(trx, invited.id)
    await recordMember(trx, sourceOf(caller), 'domain.withdrawInvite', row, invited)
  })
}

/**
 * Refuses a name that an invitation cannot lead to: one that somebody has. One of a member who was removed is given
 * away by it. One that is kept for who had it last is offered by email alone, to whatever email: the answer must not
 * reveal whose it was. Nobody else can join with it.
 */
async function requireInvitable(deps: DomainDeps, trx: Trx, whole: string, email: string | undefined): Promise<void> {
  const kept = await deps.names.requireFree(trx, whole)
  if (kept && kept.did !== null && email === undefined)
    refuse('invitationNameKept', { name: whole, date: utcDay(kept.until) })
}

async function issuePassword(
  deps: DomainDeps,
  trx: Trx,
  caller: Caller,
  row: DomainRow,
  invited: MemberRow,
  { email, locale, action }: { email?: string | undefined; locale: Locale; action: DomainsAuditAction },
): Promise<Invited> {
  const now = deps.clock.now()
  const oneTimePassword = newOneTimePassword()
  const expiresAt = new Date(now.getTime() + oneTimePasswordLifetimeMs)
  const member = await updateMember(trx, invited.id, {
    password_hash: hashPassword(deps.sealer, invited.id, oneTimePassword),
    password_expires_at: expiresAt,
    ...(email !== undefined && { email }),
  })
  if (email !== undefined) {
    await requireMailPause(trx, caller.userid, email, now)
    await deps.mail.post(trx, {
      kind: domainMail,
      params: {
        event: 'invited',
        domain: row.name,
        name: `${member.name}@${row.name}`,
        password: oneTimePassword,
        until: expiresAt.toISOString(),
      },
      userid: caller.userid,
      to: email,
      locale,
      usableUntil: expiresAt,
    })
  }
  await recordMember(trx, sourceOf(caller), action, row, member)
  return {
    member: memberJson({ name: row.name, did: caller.did }, member, now),
    oneTimePassword,
    mailed: email !== undefined,
  }
}

/** Audits what became of a member, and publishes it to the domain's owner. */
export async function recordMember(
  trx: Trx,
  source: AuditSource,
  action: DomainsAuditAction,
  row: DomainRow,
  member: Pick<MemberRow, 'name' | 'email'>,
): Promise<void> {
  const facts = { memberName: member.name, ...(member.email !== null && { memberEmail: member.email }) }
  const isGone = action === 'domain.withdrawInvite' || action === 'domain.removeMember'
  await recordAudit(trx, {
    ...source,
    action,
    object: { kind: 'domain', id: String(row.number), owner: row.userid, name: row.name },
    before: isGone ? facts : null,
    after: isGone ? null : facts,
  })
  await publishChange(trx, { account: row.userid, topic: 'domain', id: String(row.number) })
}

/** Somebody's own mails, and those to a mailbox, are few: neither is a way to flood a stranger. */
async function requireMailPause(trx: Trx, sender: string, email: string, now: Date): Promise<void> {
  const mailbox = mailboxKey(email)
  await lockInvitationMails(trx, sender, mailbox)
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const refuseUntil = (until: number) =>
    refuse('invitationMailTooMany', { minutes: Math.max(1, Math.ceil((until - now.getTime()) / 60_000)) })
  const [last] = await listInvitationMails(trx, { mailbox }, ago(invitationMailPauseMs))
  if (last) refuseUntil(last.getTime() + invitationMailPauseMs)
  const sent = await listInvitationMails(trx, { sender }, ago(hourMs))
  const oldest = sent[invitationMailsPerHour - 1]
  if (oldest) refuseUntil(oldest.getTime() + hourMs)
  await insertInvitationMail(trx, { sender, mailbox, at: now }, ago(hourMs))
}

async function lockInvited(trx: Trx, row: DomainRow, name: string): Promise<MemberRow> {
  const member = await lockMember(trx, row.number, name)
  if (!member) return refuse('notFound', { object: 'invitation' })
  return member.did === null ? member : refuse('memberJoined', { name })
}

/** `name`, or the whole `name@domain`, as a person may type it. */
export function localPart(typed: string, domain: string): string {
  const text = typed.trim().toLowerCase()
  return text.endsWith(`@${domain.trim().toLowerCase()}`) ? text.slice(0, text.lastIndexOf('@')) : text
}

function readEmail(typed: string): string {
  return normaliseEmail(typed) ?? refuse('emailMalformed')
}
