/**
 * The permissions of a grant (design: rights of a grant). read: read, and hold locks, as restore and check do; write:
 * also add; prune: also delete the listed files. `config` and a repository itself are never deleted.
 */
import type { Granted } from '../records/grant-store.ts'
import type { Target } from './read-path.ts'

/** Of one whose repository it is. */
export function isAllowed(method: string, target: Target, { right, deletes }: Pick<Granted, 'right' | 'deletes'>) {
  if (method === 'GET' || method === 'HEAD') return true
  if (target.kind === 'file' && target.type === 'locks') return true
  if (method === 'POST') return right !== 'read'
  if (target.kind !== 'file' || right !== 'prune') return false
  switch (target.type) {
    case 'data':
    case 'index':
      return true
    case 'snapshots':
      return deletes.snapshots.includes(target.name)
    case 'keys':
      return deletes.key === target.name
    default:
      return false
  }
}
