/** All that this wallet keeps beside its vault: readable on the device, and moved along with it. */
import { z } from 'zod'
import { addCredentials, clearCredentials, HeldCredential, listCredentials } from '../domains/credential-store.ts'
import { addSignatures, clearSignatures, LogEntry, listSignatures } from '../history/signature-log.ts'
import { readAutoLock, writeAutoLock } from '../keys/auto-lock.ts'
import type { TextStorage } from '../keys/vault-file.ts'

const Belongings = z.object({
  credentials: z.array(HeldCredential),
  signatures: z.array(LogEntry),
  autoLock: z.literal([1, 5, 15]),
})

export function packBelongings(storage: TextStorage): z.infer<typeof Belongings> {
  return {
    credentials: listCredentials(storage),
    signatures: listSignatures(storage),
    autoLock: readAutoLock(storage),
  }
}

export function takeBelongings(storage: TextStorage, packed: unknown): void {
  const { credentials, signatures, autoLock } = Belongings.parse(packed)
  addCredentials(storage, credentials)
  addSignatures(storage, signatures)
  // Of the two choices the stricter one.
  if (autoLock < readAutoLock(storage)) writeAutoLock(storage, autoLock)
}

export function clearBelongings(storage: TextStorage): void {
  clearCredentials(storage)
  clearSignatures(storage)
}
