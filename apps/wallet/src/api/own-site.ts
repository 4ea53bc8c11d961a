/** What this wallet's own deployment is told of a sign-in code beyond its signature (contract, `sign-in.ts`). */
import { declineCode, readCode } from '@atoll/contract/accounts'
import type { SignRequest } from '@atoll/contract/identity'
import { z } from 'zod'
import { type Answer, postJson } from './post-json.ts'

const Read = z.object({ code: z.literal(200), data: readCode.data })

/**
 * Resolves when the last thing was told. A later one must not overtake it: having read a code takes back that it was
 * declined.
 */
let told: Promise<unknown> = Promise.resolve()

/**
 * The screen that shows the code is told that it was read. Says whether that screen is a page of this very browser.
 */
export async function reportCodeRead(request: SignRequest): Promise<boolean> {
  const { callback_url, sign_body } = request.message.sign
  const answer = await tell(addressOf(callback_url, readCode.path), { secret: sign_body.secret }, 'include')
  // Whoever cannot tell is not here: then the number is asked for.
  return answer.kind === 'answered' && (Read.safeParse(answer.body).data?.data.here ?? false)
}

/**
 * The screen that shows the code is told that it will not be approved. Nothing waits for this, and nothing depends on
 * it.
 */
export function reportCodeDeclined(request: SignRequest, reason: 'otherDid' | 'declined'): void {
  const { callback_url, sign_body } = request.message.sign
  void tell(addressOf(callback_url, declineCode.path), { secret: sign_body.secret, reason })
}

/** Sends once everything told before was answered, or is known not to be. */
function tell(...message: Parameters<typeof postJson>): Promise<Answer> {
  const answer = told.then(() => postJson(...message))
  told = answer
  return answer
}

function addressOf(callbackUrl: string, path: string): string {
  return new URL(path, callbackUrl).href
}
