/**
 * The owner of a domain removes somebody who has an ID under it, typing the ID: ID and addresses end, the clusters stay
 * at the edge's own address, and nobody takes the name for a year unless the owner invites them to it.
 */

import type { Caller } from '../../../platform/caller.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findAccountOfDid } from '../../accounts/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { endHosts } from '../hosts/cluster-hosts.ts'
import { getDomain, lockDomain, sourceOf } from '../lifecycle/own-domain.ts'
import { deleteMember, findMember, lockMember } from '../records/member-store.ts'
import { endTransfers, findTransfer } from '../records/transfer-store.ts'
import { localPart, recordMember, withdrawInvitation } from './invite.ts'

/** Takes an invitation back, or ends the ID of a member who has joined, whose whole ID is typed as `confirm`. */
export async function removeMember(
  deps: DomainDeps,
  caller: Caller,
  { domain, name, confirm }: { domain: string; name: string; confirm?: string | undefined },
): Promise<void> {
  const local = localPart(name, domain)
  // Before the lock that everybody waits for who takes a name.
  const found = await findMember(deps.db, (await getDomain(deps, caller, domain)).number, local)
  if (!found || found.did === null) return await withdrawInvitation(deps, caller, { domain, name })
  await deps.db.transaction().execute(async (trx) => {
    await deps.names.lock(trx)
    const row = await lockDomain(deps, trx, caller, domain)
    const member = await lockMember(trx, row.number, local)
    if (!member || member.did === null) return refuse('notFound', { object: 'invitation' })
    const { did } = member
    const whole = `${member.name}@${row.name}`
    if (did === caller.did) refuse('memberIsOwner', { name: whole })
    if ((confirm ?? '').trim().toLowerCase() !== whole) refuse('memberConfirm', { name: whole })
    const now = deps.clock.now()
    const account = await findAccountOfDid(trx, did)
    const offer = await findTransfer(trx, row.number, now)
    if (offer?.to_did === did) {
      await endTransfers(trx, row.number, 'removed', now)
      if (account) await publishChange(trx, { account, topic: 'domain', id: String(row.number) })
    }
    await deleteMember(trx, member.id)
    await deps.names.remove(trx, { did, name: whole })
    if (account) await endHosts(deps, trx, row, account)
    if (account) await deps.notify(trx, account, { event: 'memberRemoved', domain: row.name, name: whole })
    await recordMember(trx, sourceOf(caller), 'domain.removeMember', row, member)
  })
}
