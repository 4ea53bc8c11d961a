import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Sealer } from '../../../platform/crypto.ts'

/** The chain and the key (PEM) of a row; undefined where the key is missing, cannot be opened, or is another's. */
export function openCertificate(
  sealer: Pick<Sealer, 'open'>,
  { chain, sealedKey }: { chain: string | null; sealedKey: string | null },
): { chain: string; key: string } | undefined {
  if (chain === null || sealedKey === null) return undefined
  try {
    const key = sealer.open('certificate key', sealedKey)
    return new X509Certificate(chain).checkPrivateKey(createPrivateKey(key)) ? { chain, key } : undefined
  } catch {
    // Of another deployment's key, or damaged: as if there were none, and one is ordered.
    return undefined
  }
}
