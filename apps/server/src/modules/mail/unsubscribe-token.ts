/**
 * The token in a mail's `List-Unsubscribe` header: it names the account and the kind of mail to end, and only we can
 * make one.
 */
import { OptionalMail } from '@atoll/contract/accounts'
import { z } from 'zod'
import type { Sealer } from '../../platform/crypto.ts'

const Token = z.strictObject({ unsubscribe: z.string(), mail: OptionalMail })

export const unsubscribePath = '/unsubscribe'

export function makeUnsubscribeToken(sealer: Sealer, { userid, mail }: { userid: string; mail: OptionalMail }): string {
  return sealer.seal('unsubscribe link', JSON.stringify({ unsubscribe: userid, mail }))
}

/** Undefined for what is no such token. */
export function readUnsubscribeToken(
  sealer: Sealer,
  token: string,
): { userid: string; mail: OptionalMail } | undefined {
  try {
    const { unsubscribe: userid, mail } = Token.parse(JSON.parse(sealer.open('unsubscribe link', token)))
    return { userid, mail }
  } catch {
    // Cut off by a mail program, made up, or of another deployment: each is just no token.
    return undefined
  }
}
