/** How an answer is understood: the table of spec §8, without side effects. */
import { isForPrograms } from '@atoll/contract/api'
import { codes } from '@atoll/contract/wire'

export type FailureKind =
  /** No usable answer: not 200, an empty body, or none at all. */
  | 'network'
  /** Body code 506: sign in again. */
  | 'signedOut'
  /** Body code 401: passed on without a word. */
  | 'silent'
  /** Any other code: the server's message is shown. */
  | 'refused'

export type Answer =
  | { ok: true; data: unknown }
  | {
      ok: false
      kind: FailureKind
      code: number | undefined
      message: string | undefined
      /** The server's message that is not for people. */
      detail?: string
      /** The field of the body that was refused. */
      field?: string
    }

const network: Answer = { ok: false, kind: 'network', code: undefined, message: undefined }

/** Reads HTTP `status` and body text of a product-API answer. */
export function readAnswer(status: number, body: string): Answer {
  if (status !== 200 || body.trim() === '') return network
  const parsed = parseEnvelope(body)
  if (!parsed) return network
  const { code } = parsed
  if (code === codes.ok) return { ok: true, data: parsed.data }
  const message = typeof parsed.message === 'string' && parsed.message !== '' ? parsed.message : undefined
  if (code === codes.badParameter && message !== undefined && isForPrograms(message))
    return { ok: false, kind: 'refused', code, message: undefined, detail: message }
  const kind = code === codes.signedOut ? 'signedOut' : code === codes.silent ? 'silent' : 'refused'
  return { ok: false, kind, code, message, ...(typeof parsed.field === 'string' && { field: parsed.field }) }
}

function parseEnvelope(body: string): { code: number; message?: unknown; field?: unknown; data?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value !== 'object' || value === null || !('code' in value) || typeof value.code !== 'number')
      return undefined
    // `code` was just seen to be a number.
    return value as { code: number }
  } catch {
    return undefined
  }
}
