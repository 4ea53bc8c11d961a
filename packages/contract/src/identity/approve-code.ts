/**
 * The text inside the code that asks a staff member's wallet to approve an act (issue 33). It has a topic of its own,
 * which wallets that know no such acts do not read; what is approved is fetched from the site, so that the code stays
 * small.
 */
import { z } from 'zod'
import { decodeCode, encodeCode } from './sign-request.ts'

export const ApproveCode = z.strictObject({
  topic: z.literal('approve'),
  message: z.strictObject({
    /** Origin of the API that asks. */
    url: z.url({ protocol: /^https?$/ }),
    nonce: z.string().regex(/^[0-9a-f]{32}$/),
  }),
})
export type ApproveCode = z.infer<typeof ApproveCode>

export const encodeApproveCode = (code: ApproveCode): string => encodeCode(code)

export function decodeApproveCode(text: string): ApproveCode | undefined {
  return ApproveCode.safeParse(decodeCode(text)).data
}
