/**
 * Bodies of calls: JSON and forms, each at most `bodyLimit` bytes, nested at most `deepest` levels, and always an
 * object. Nested form fields use brackets, `a[b]=1` and `a[0][b]=1` (design/api).
 */
import type { FastifyInstance } from 'fastify'
import { parse } from 'qs'
import { refuse } from '../../platform/refusal.ts'

/** Bytes. The largest call, a sign-in, has some 2 kB. */
export const bodyLimit = 256 * 1024
const deepest = 8
const mostFields = 1000
const limits = { fields: mostFields, levels: deepest }

/** Makes `app` read both kinds of body; any other content type is refused before it is read. */
export function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_: unknown, text: string) =>
    parseJson(text),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, text: string) => parseForm(text),
  )
}

function parseJson(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    refuse('bodyNotJson')
  }
  if (!isRecord(value)) refuse('bodyNotObject')
  if (isDeeperThan(value, deepest)) refuse('bodyTooComplex', limits)
  return value
}

function parseForm(text: string): Record<string, unknown> {
  try {
    return parse(text, {
      depth: deepest,
      strictDepth: true,
      parameterLimit: mostFields,
      arrayLimit: mostFields,
      throwOnLimitExceeded: true,
      plainObjects: true,
      duplicates: 'combine',
    })
  } catch {
    // qs throws only for its limits.
    refuse('bodyTooComplex', limits)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
