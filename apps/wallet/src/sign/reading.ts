/** The meaning of a scanned, pasted or linked text, for a person to read. */
import { type ApproveCode, decodeApproveCode, decodeSignRequest, type SignRequest } from '@atoll/contract/identity'
import { domainBaseOfLink } from '../domains/domain-name.ts'

export type Reading =
  | { kind: 'request'; request: SignRequest }
  /** An act of a site's staff, whose words are fetched from it. */
  | { kind: 'act'; code: ApproveCode; text: string }
  /** The screen of a custom domain; `base` as it stands in the address. */
  | { kind: 'domain'; base: string }
  /** `damaged`: begins like a sign request and is none we can read or explain. */
  | { kind: 'unknown'; reason: 'empty' | 'address' | 'identity' | 'damaged' | 'other' }

export function readCode(text: string): Reading {
  const trimmed = text.trim()
  const request = decodeSignRequest(trimmed)
  if (request) return { kind: 'request', request }
  const code = decodeApproveCode(trimmed)
  if (code) return { kind: 'act', code, text: trimmed }
  if (trimmed === '') return { kind: 'unknown', reason: 'empty' }
  const base = domainBaseOfLink(trimmed)
  if (base !== undefined) return { kind: 'domain', base }
  if (/^https?:\/\//i.test(trimmed)) return { kind: 'unknown', reason: 'address' }
  if (trimmed.startsWith('did:')) return { kind: 'unknown', reason: 'identity' }
  return { kind: 'unknown', reason: trimmed.startsWith('space:') ? 'damaged' : 'other' }
}
