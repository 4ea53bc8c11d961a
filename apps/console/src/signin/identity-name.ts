import { codes, identityTimeoutMs, isDisplayableName } from '@atoll/contract/wire'
import { apiBase } from '../config/runtime-config.ts'
import { currentLocale } from '../locales/language.ts'

/**
 * The ID that the identity service knows for `did`; null: none is bound. False when it does not answer, or not with 200
 * (the network error of spec §8); undefined when the answer says nothing. Never throws.
 */
export async function findIdentityName(did: string): Promise<string | false | null | undefined> {
  try {
    const response = await fetch(`${apiBase(currentLocale())}/get_name_by_did/${encodeURIComponent(did)}`, {
      signal: AbortSignal.timeout(identityTimeoutMs),
    })
    if (response.status !== 200) return false
    const { code, data } = (await response.json()) as { code?: unknown; data?: unknown } // each is checked below
    if (code === codes.notFound) return null
    // The service writes the @ as a dot; a name itself has none, so it is the first.
    const name = code === 0 && typeof data === 'string' ? data.replace('.', '@') : undefined
    return isDisplayableName(name) ? name : undefined
  } catch {
    return false
  }
}
