/** The reason why this browser cannot hold keys at all; checked once before anything is shown. */
export type Obstacle = 'insecure' | 'storage' | 'old'

export async function findObstacle(): Promise<Obstacle | undefined> {
  // Browsers hide WebCrypto from pages that came over plain HTTP from another machine.
  if (!globalThis.isSecureContext || !globalThis.crypto?.subtle) return 'insecure'
  if (!canStore()) return 'storage'
  try {
    await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify'])
    return undefined
  } catch {
    return 'old'
  }
}

function canStore(): boolean {
  const probe = 'atoll_wallet_probe'
  try {
    localStorage.setItem(probe, '1')
    localStorage.removeItem(probe)
    return true
  } catch {
    return false
  }
}
