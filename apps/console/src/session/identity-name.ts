import { codes, identityTimeoutMs, isDisplayableName } from '@atoll/contract/wire'
import { apiBase } from '../data/config/runtime-config.ts'
import { currentLocale } from '../kit/i18n/language.ts'

/**
 * The ID that the identity service knows for `did`; null: none is bound. Undefined when the service cannot tell, which
 * costs the page a name and no more.
 */
export async function findIdentityName(did: string): Promise<string | null | undefined> {
  try {
    const response = await fetch(`${apiBase(currentLocale())}/get_name_by_did/${encodeURIComponent(did)}`, {
      signal: AbortSignal.timeout(identityTimeoutMs),
    })
    const { code, data } = (await response.json()) as { code?: unknown; data?: unknown } // each is looked at below
    if (code === codes.notFound) return null
    // The service writes the @ as a dot; a name itself has none, so it is the first.
    const name = code === 0 && typeof data === 'string' ? data.replace('.', '@') : undefined
    return isDisplayableName(name) ? name : undefined
  } catch {
    return undefined
  }
}
