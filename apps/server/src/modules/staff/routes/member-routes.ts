import { type StaffMember, staffPage } from '@atoll/contract/staff'
import { implement, type Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { readPage } from '../../../platform/paging/index.ts'
import { staffMembers } from '../../accounts/index.ts'

type MemberRow = Awaited<ReturnType<ReturnType<typeof staffMembers>['executeTakeFirstOrThrow']>>

/** Calls about who has a staff role. */
export function memberRoutes({ db }: { db: Db }): Route[] {
  return [
    implement(staffPage, async (body) => {
      const { rows, figures } = await readPage(staffMembers(db), body)
      return { members: rows.map(toMember), ...figures }
    }),
  ]
}

function toMember(row: MemberRow): StaffMember {
  return {
    person: { accountId: row.account_id, userid: row.did, terminusName: row.name },
    role: row.role,
    since: row.granted_at.toISOString(),
    grantedBy:
      row.granted_by === null || row.granter_did === null
        ? null
        : { accountId: row.granted_by, userid: row.granter_did, terminusName: row.granter_name },
    lastAct: row.last_act && { ...row.last_act, at: new Date(row.last_act.at).toISOString() },
  }
}
