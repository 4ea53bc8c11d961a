/** The `If` header of WebDAV (RFC 4918, 10.4). */
import { HttpProblem } from '../kernel/problem.ts'

interface Condition {
  isNot: boolean
  token?: string
  etag?: string
}

export interface IfHeader {
  /**
   * The header holds when all conditions of any one list hold. `resource`: the address that the list is about;
   * undefined: that of the request.
   */
  lists: { resource: string | undefined; conditions: Condition[] }[]
  /** All lock tokens in the header: by naming one, a program shows that it holds the lock. */
  tokens: string[]
}

/** Longest header, characters: more than Node lets through in all. */
const longest = 16_384

/** Throws 400 badParameter for a header that is malformed. */
export function parseIf(header: string | string[] | undefined): IfHeader | undefined {
  if (header === undefined) return undefined
  const text = String(header)
  const lists: IfHeader['lists'] = []
  let resource: string | undefined
  let conditions: Condition[] | undefined
  let isNot = false
  const part = /\s*(?:<([^<>\s]+)>|\[((?:W\/)?"[^"]*")\]|(\()|(\))|(Not)\b)\s*/iy
  while (part.lastIndex < text.length) {
    const match = text.length <= longest ? part.exec(text) : null
    if (!match) throw malformedIf()
    const [, address, etag, begin, end, not] = match
    if (begin) {
      if (conditions) throw malformedIf()
      conditions = []
    } else if (end) {
      if (!conditions || conditions.length === 0 || isNot) throw malformedIf()
      lists.push({ resource, conditions })
      conditions = undefined
    } else if (not) {
      if (!conditions || isNot) throw malformedIf()
      isNot = true
    } else if (conditions) {
      conditions.push({ isNot, ...(address !== undefined && { token: address }), ...(etag !== undefined && { etag }) })
      isNot = false
    } else if (address !== undefined) resource = address
    else throw malformedIf()
  }
  if (conditions || lists.length === 0) throw malformedIf()
  const tokens = lists.flatMap((list) => list.conditions.flatMap(({ token }) => token ?? []))
  return { lists, tokens }
}

function malformedIf(): HttpProblem {
  return new HttpProblem(400, 'badParameter', 'if: is not a header of WebDAV')
}
