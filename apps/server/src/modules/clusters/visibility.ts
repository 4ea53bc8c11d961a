/**
 * Whose clusters an account may see and act on: its own; an Admin, everybody's, until the deployment has staff, who act
 * in the operator's area and by its rules; the owner of a custom domain sees those of its members and acts on none of
 * them; clusters of drills are visible to nobody. Only this file decides it. A cluster that is not visible is answered
 * like one that does not exist, and so is an action on one that is only visible.
 */
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../platform/caller.ts'
import { drillOwnerFact, factOf } from '../../platform/facts/index.ts'
import { membersUnder } from '../domains/index.ts'

/** The reader. */
export type Viewer = Pick<Caller, 'userid' | 'role' | 'hasStaff'>

/** For a where clause: whether `viewer` may see what has this owner. */
export function visibleTo({ userid, role }: Viewer, owner: Expression<string>): Expression<SqlBool> {
  if (role === 'Admin') return notOfDrills(owner)
  // By owners, not by a disjunction: the index on owners serves it.
  return sql<SqlBool>`${owner} in (select ${userid}::text union all ${membersUnder(userid)})`
}

/** For a where clause: whether `viewer` may act on what has this owner. */
export function openTo(viewer: Viewer, owner: Expression<string>): Expression<SqlBool> {
  return actsForAll(viewer) ? notOfDrills(owner) : sql<SqlBool>`${owner} = ${viewer.userid}`
}

function notOfDrills(owner: Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`${owner} is distinct from ${factOf(drillOwnerFact)}`
}

/** The same of an owner that was read. */
export function mayActFor(viewer: Viewer, owner: string): boolean {
  return actsForAll(viewer) || owner === viewer.userid
}

function actsForAll({ role, hasStaff }: Viewer): boolean {
  return role === 'Admin' && !hasStaff
}
