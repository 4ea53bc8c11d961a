/**
 * The vault as it is stored: one JSON text in localStorage. DIDs and names are public; only `sealed` holds secrets.
 */
import { Did } from '@atoll/contract/wire'
import { z } from 'zod'

const base64Text = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/)
export const Sealed = z.strictObject({ iv: base64Text, data: base64Text })
export type Sealed = z.infer<typeof Sealed>

export const VaultEntry = z.strictObject({
  did: Did,
  /** `name@domain` as the identity service last answered; null while none is bound. */
  name: z.string().nullable(),
  /** The identity service has answered `create_local` with yes. */
  registered: z.boolean(),
  /** ms */
  createdAt: z.number(),
  /** The 16 bytes of entropy behind the 12 words. */
  sealed: Sealed,
})
export type VaultEntry = z.infer<typeof VaultEntry>

export const VaultFile = z.strictObject({
  version: z.literal(1),
  kdf: z.strictObject({ salt: base64Text, rounds: z.int().min(1) }),
  wrappedKey: Sealed,
  defaultDid: Did.nullable(),
  entries: z.array(VaultEntry),
})
export type VaultFile = z.infer<typeof VaultFile>

export const vaultStorageKey = 'atoll_wallet_vault'

export interface TextStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** `damaged`: something is stored that is not a vault; it is never overwritten without the person's word. */
export function readVaultFile(storage: TextStorage): VaultFile | 'none' | 'damaged' {
  const text = storage.getItem(vaultStorageKey)
  if (text === null) return 'none'
  try {
    return VaultFile.parse(JSON.parse(text))
  } catch {
    return 'damaged'
  }
}

export function writeVaultFile(storage: TextStorage, file: VaultFile): void {
  storage.setItem(vaultStorageKey, JSON.stringify(file))
}
