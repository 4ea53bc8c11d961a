/** Where a screen sends a person who cannot use it yet. */
import { redirect } from '@tanstack/react-router'
import { keychain } from './keys/use-keychain.ts'

interface Guarded {
  location: { href: string }
}

/** For screens that show or use identities: needs a vault, and an open one. */
export function requireUnlocked({ location }: Guarded): void {
  const { vault, locked } = keychain.getState()
  if (vault !== 'present') throw redirect({ to: '/welcome' })
  if (locked) throw redirect({ to: '/unlock', search: { next: location.href } })
}

/** For screens that make an identity: an existing vault must be open, none is fine. */
export function requireNotLocked({ location }: Guarded): void {
  const { vault, locked } = keychain.getState()
  if (vault === 'present' && locked) throw redirect({ to: '/unlock', search: { next: location.href } })
}
