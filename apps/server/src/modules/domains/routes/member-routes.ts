import {
  domainMembers,
  memberAdd,
  memberDelete,
  memberEmail,
  memberJoin,
  memberPassword,
} from '@atoll/contract/domains'
import { implement, type Route } from '../../../http/route.ts'
import { readPage } from '../../../platform/paging/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { getDomain } from '../lifecycle/own-domain.ts'
import { inviteMember, renewInvitation } from '../members/invite.ts'
import { joinDomain } from '../members/join.ts'
import { listAddresses } from '../members/member-addresses.ts'
import { memberJson } from '../members/member-json.ts'
import { removeMember } from '../members/remove.ts'
import { isFinished } from '../records/domain-state.ts'
import { membersOf } from '../records/member-store.ts'

export function memberRoutes(deps: DomainDeps): Route[] {
  return [
    implement(domainMembers, async ({ domain, page, rowsPerPage }, { account, locale }) => {
      const row = await getDomain(deps, account, domain)
      const { rows, figures } = await readPage(membersOf(deps.db, row.number), { page, rowsPerPage })
      const now = deps.clock.now()
      const owners = rows.flatMap(({ did }) => did ?? [])
      const addresses = await listAddresses(deps, row, owners)
      const refusal = new Refusal('domainNotNow', { domainStatus: row.status })
      return {
        members: rows.map((member) =>
          memberJson({ name: row.name, did: account.did }, member, now, addresses.get(member.did ?? '')),
        ),
        ...figures,
        ...(!isFinished(row.status) && { refused: refusal.sentence(locale) }),
      }
    }),
    implement(memberAdd, (order, { account, locale }) => inviteMember(deps, account, { ...order, locale })),
    implement(memberPassword, (asked, { account, locale }) => renewInvitation(deps, account, { ...asked, locale })),
    implement(memberEmail, (asked, { account, locale }) => renewInvitation(deps, account, { ...asked, locale })),
    implement(memberDelete, async (asked, { account }) => {
      await removeMember(deps, account, asked)
      return {}
    }),
    implement(memberJoin, async ({ jws }, { account, locale, ip }) => ({
      terminus_name: await joinDomain(deps, { jws, locale, ip }, account),
    })),
  ]
}
