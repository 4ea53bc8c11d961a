/**
 * Facts about a sign-in code beyond its signature that this wallet reports to its own deployment (contract,
 * `sign-in.ts`).
 */
import { declineCode, readCode } from '@atoll/contract/accounts'
import type { SignRequest } from '@atoll/contract/identity'
import { z } from 'zod'
import { type Answer, postJson } from './post-json.ts'

const Read = z.object({ code: z.literal(200), data: readCode.data })

/**
 * Resolves when the last report was answered. A later one must not overtake it: having read a code takes back that it
 * was declined.
 */
let reported: Promise<unknown> = Promise.resolve()

/** Reports to the screen with the code that it was read; answers whether that screen is in this very browser. */
export async function reportCodeRead(request: SignRequest): Promise<boolean> {
  const { callback_url, sign_body } = request.message.sign
  const answer = await report(addressOf(callback_url, readCode.path), { secret: sign_body.secret }, 'include')
  // Without an answer the screen counts as elsewhere: then the number is asked for.
  return answer.kind === 'answered' && (Read.safeParse(answer.body).data?.data.here ?? false)
}

/** Reports to the screen with the code that it will not be approved. Nothing waits for this or depends on it. */
export function reportCodeDeclined(request: SignRequest, reason: 'otherDid' | 'declined'): void {
  const { callback_url, sign_body } = request.message.sign
  void report(addressOf(callback_url, declineCode.path), { secret: sign_body.secret, reason })
}

/** Sends once every earlier report was answered, or is known not to be. */
function report(...message: Parameters<typeof postJson>): Promise<Answer> {
  const answer = reported.then(() => postJson(...message))
  reported = answer
  return answer
}

function addressOf(callbackUrl: string, path: string): string {
  return new URL(path, callbackUrl).href
}
