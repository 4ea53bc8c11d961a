/**
 * Write locks on paths of the drive (RFC 4918, 6 and 7), which programs over WebDAV take while they edit. Kept in
 * memory: they end by time anyway, and a program whose lock is gone takes another. A lock ends with its holder too.
 */
import { randomUUID } from 'node:crypto'
import { HttpProblem } from '../kernel/problem.ts'
import { isWithin, parseDrivePath } from './drive-path.ts'

/** A lock of a program that crashed ends after this time at most. s */
export const longestLock = 3600
const mostLocks = 1000

export interface DriveLock {
  /** A URI, as WebDAV wants it. */
  token: string
  names: readonly string[]
  /** Whether what lies below is locked too. */
  isDeep: boolean
  isExclusive: boolean
  /** XML that its holder wrote about itself. */
  owner: string
  /** The app password that it was taken with, by its id. */
  holder: string
  seconds: number
  /** ms of a clock that never goes back. */
  endsAt: number
}

export interface LockUse {
  /** Those that the request shows. */
  tokens?: readonly string[]
  /** The change makes or removes the entry itself, so a lock on its folder counts as well. */
  isMember?: boolean
  /** The change concerns everything below as well. */
  isTree?: boolean
}

export type DriveLocks = ReturnType<typeof createDriveLocks>

export function createDriveLocks(isHolder: (id: string) => boolean, now: () => number = () => performance.now()) {
  let locks: readonly DriveLock[] = []

  function living(): readonly DriveLock[] {
    locks = locks.filter(({ endsAt, holder }) => endsAt > now() && isHolder(holder))
    return locks
  }

  /** The locks that apply to the entry at `names`. */
  function covering(names: readonly string[]): DriveLock[] {
    return living().filter((lock) =>
      lock.isDeep ? isWithin(names, lock.names) : isWithin(names, lock.names) && names.length === lock.names.length,
    )
  }

  return {
    covering,

    /** Throws 423 locked unless, of the locks at each place that a change of `path` touches, one is in `tokens`. */
    require(path: string, { tokens = [], isMember = false, isTree = false }: LockUse = {}): void {
      const names = parseDrivePath(path)
      const touched = [
        ...covering(names),
        ...(isMember && names.length > 0 ? covering(names.slice(0, -1)) : []),
        ...(isTree ? living().filter((lock) => isWithin(lock.names, names)) : []),
      ]
      for (const { names: root } of touched) {
        const together = touched.filter((lock) => lock.names.join('/') === root.join('/'))
        if (!together.some(({ token }) => tokens.includes(token))) throw locked()
      }
    },

    /** Throws 423 locked where another lock is in the way. */
    add(path: string, wanted: Pick<DriveLock, 'isDeep' | 'isExclusive' | 'owner' | 'holder' | 'seconds'>): DriveLock {
      const names = parseDrivePath(path)
      const below = wanted.isDeep ? living().filter((lock) => isWithin(lock.names, names)) : []
      if ([...covering(names), ...below].some(({ isExclusive }) => isExclusive || wanted.isExclusive)) throw locked()
      if (living().length >= mostLocks) throw new HttpProblem(503, 'busy', 'There are too many locks.')
      const lock = { ...wanted, token: `urn:uuid:${randomUUID()}`, names, endsAt: now() + wanted.seconds * 1000 }
      locks = [...locks, lock]
      return lock
    },

    /** The lock of `path` with one of `tokens`, from now on for `seconds`; undefined without one. */
    refresh(path: string, tokens: readonly string[], seconds: number): DriveLock | undefined {
      const old = covering(parseDrivePath(path)).find(({ token }) => tokens.includes(token))
      if (!old) return undefined
      const lock = { ...old, seconds, endsAt: now() + seconds * 1000 }
      locks = locks.map((one) => (one === old ? lock : one))
      return lock
    },

    /** Whether there was such a lock of `path`. */
    release(path: string, token: string): boolean {
      const lock = covering(parseDrivePath(path)).find((one) => one.token === token)
      locks = locks.filter((one) => one !== lock)
      return lock !== undefined
    },

    /** Ends the locks at `path` and below: nothing lies there any more. */
    forget(path: string): void {
      const names = parseDrivePath(path)
      locks = locks.filter((lock) => !isWithin(lock.names, names))
    },
  }
}

function locked(): HttpProblem {
  return new HttpProblem(423, 'locked', 'A program has this open and has locked it.')
}
