import { createHash } from 'node:crypto'
import type { StateStore } from '../kernel/state-store.ts'

/**
 * Ties what opens the server to the owner's password of its time: it carries a digest of the password's hash, so that
 * the write of another password ends it, and nothing else has to be written.
 */
export function createPasswordBinding(store: Pick<StateStore, 'current'>) {
  let present = { ownerHash: '', digest: '' }
  return {
    digest: digestOf,
    /** Whether `digest` is that of the present password. */
    isPresent(digest: string): boolean {
      const ownerHash = store.current.account?.passwordHash ?? ''
      // Kept, because it is asked for at each request, and once more for each lock.
      if (ownerHash !== present.ownerHash) present = { ownerHash, digest: digestOf(ownerHash) }
      return digest !== '' && digest === present.digest
    },
  }
}

function digestOf(ownerHash: string): string {
  return createHash('sha256').update(`binding ${ownerHash}`).digest('hex')
}
