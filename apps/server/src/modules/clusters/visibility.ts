/**
 * Whose clusters an account may see and act on: its own; an Admin, everybody's. The only place that says so. What is
 * not visible is answered like what does not exist.
 */
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Caller } from '../../platform/caller.ts'

/** Who looks. */
export type Viewer = Pick<Caller, 'userid' | 'role'>

/** The owners whose clusters `viewer` may see, of those asked for. */
export function visibleOwners(viewer: Viewer, asked?: string): { only: string } | 'everybody' | 'nobody' {
  if (viewer.role === 'Admin') return asked === undefined ? 'everybody' : { only: asked }
  return asked === undefined || asked === viewer.userid ? { only: viewer.userid } : 'nobody'
}

/** For a where clause: whether the row with this owner is visible. */
export function visibleTo(viewer: Viewer, owner: Expression<string>): Expression<SqlBool> {
  const owners = visibleOwners(viewer)
  if (owners === 'everybody') return sql<SqlBool>`true`
  if (owners === 'nobody') return sql<SqlBool>`false`
  return sql<SqlBool>`${owner} = ${owners.only}`
}
