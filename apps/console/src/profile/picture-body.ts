import { avatarLimitBytes } from '@atoll/contract/accounts'
import { text } from '../locales/text.ts'

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

/** Refusals that are known without sending: the server would say the same after the last byte. */
export function pictureProblem({ type, size }: File): Error | undefined {
  if (!pictureTypes.some((known) => known === type)) return new Error(text('profile.pictureKind'))
  if (size <= avatarLimitBytes) return undefined
  return new Error(text('profile.pictureTooLarge', { megabytes: avatarLimitBytes / 1024 ** 2 }))
}

/** base64url: nothing in it needs escaping in a form. */
export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
