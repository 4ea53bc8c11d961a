/**
 * The act that a site's staff are asked to approve: fetched from it by the nonce of a code, and checked before it is
 * shown.
 */
import type { ApproveCode } from '@atoll/contract/identity'
import { approvalDecline, approvalDeliver, approvalRead } from '@atoll/contract/staff'
import { z } from 'zod'
import { postJson } from '../api/post-json.ts'

export type ActRequest = z.infer<typeof approvalRead.data>

export type ActReading =
  | { kind: 'fetching' }
  | { kind: 'asked'; request: ActRequest }
  /** Over, or never there. */
  | { kind: 'gone' }
  | { kind: 'unreachable' }
  /** It says something that this wallet does not know. */
  | { kind: 'unknown' }
  /** The name that is shown beside what is signed is not the one whose hash is signed. */
  | { kind: 'wrongName' }

const Envelope = z.looseObject({ code: z.number(), data: z.unknown() })

const address = ({ message }: ApproveCode, path: string) => new URL(path, message.url).href

export async function readAct(code: ApproveCode): Promise<ActReading> {
  const { nonce } = code.message
  const answer = await postJson(address(code, approvalRead.path), { nonce })
  if (answer.kind === 'unreachable') return answer
  const envelope = Envelope.safeParse(answer.body).data
  if (envelope?.code !== 200) return { kind: 'gone' }
  const request = approvalRead.data.safeParse(envelope.data).data
  if (request?.statement.nonce !== nonce) return { kind: 'unknown' }
  return (await sha256Hex(request.salt + request.name)) === request.statement.nameHash
    ? { kind: 'asked', request }
    : { kind: 'wrongName' }
}

export async function deliverAct(code: ApproveCode, jws: string): Promise<'accepted' | 'gone' | 'unreachable'> {
  const answer = await postJson(address(code, approvalDeliver.path), { jws })
  if (answer.kind === 'unreachable') return 'unreachable'
  return Envelope.safeParse(answer.body).data?.code === 200 ? 'accepted' : 'gone'
}

/** Nothing waits for this: without it the request expires. */
export function reportActDeclined(code: ApproveCode): void {
  void postJson(address(code, approvalDecline.path), { nonce: code.message.nonce })
}

async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
