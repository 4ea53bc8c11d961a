/**
 * Conditions that a request sets to the file it names (RFC 9110, 13): each is kept, in the order of 13.2.2. A program
 * that read a file and writes it back says which content it read, and replaces no other.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FileStamp } from '../drive/file-stamp.ts'
import { HttpProblem } from '../kernel/problem.ts'

/** For PUT, DELETE and POST: throws 412 when `headers` speak against changing what is there; undefined: nothing is. */
export function requireConditions(headers: IncomingHttpHeaders, present: FileStamp | undefined): void {
  const { 'if-match': match, 'if-unmodified-since': since, 'if-none-match': noneMatch } = headers
  if (match !== undefined) {
    if (!present || !(isAny(match) || readTags(match).includes(present.etag))) throw changed()
  } else if (present && isModifiedSince(since, present)) {
    throw changed()
  }
  if (noneMatch === undefined || !present) return
  if (isAny(noneMatch)) throw new HttpProblem(412, 'exists', 'There is a file of this name.')
  if (readTags(noneMatch).map(weakly).includes(present.etag)) throw changed()
}

/** For GET and HEAD, where the conditions on writing were met: whether the visitor has what it asks for. */
export function isUnchanged(headers: IncomingHttpHeaders, present: FileStamp): boolean {
  const { 'if-none-match': noneMatch, 'if-modified-since': since } = headers
  if (noneMatch !== undefined) return isAny(noneMatch) || readTags(noneMatch).map(weakly).includes(present.etag)
  return readDate(since) !== undefined && !isModifiedSince(since, present)
}

/** For GET and HEAD, before the rest: throws 412 when the file is not the one that is meant. */
export function requireMeant(headers: IncomingHttpHeaders, present: FileStamp): void {
  const { 'if-match': match, 'if-unmodified-since': since } = headers
  requireConditions({ ...(match !== undefined && { 'if-match': match }), 'if-unmodified-since': since }, present)
}

/**
 * Whether a range is meant of this file (13.1.5). A date proves nothing: two contents may have the same second, and who
 * uploads says which.
 */
export function isRangeMeant(ifRange: string | string[] | undefined, present: FileStamp): boolean {
  return ifRange === undefined || ifRange === present.etag
}

/** Beyond it a date has more than four digits of year. s */
const latestTime = 253_402_300_799

/** When `X-OC-Mtime` (seconds, as ownCloud's clients send them) says that the file was changed last. */
export function readModifiedAt(headers: IncomingHttpHeaders): Date | undefined {
  const header = headers['x-oc-mtime']
  if (header === undefined) return undefined
  const seconds = typeof header === 'string' && /^\d{1,12}(\.\d{1,9})?$/.test(header.trim()) ? Number(header) : Infinity
  if (seconds > latestTime) throw new HttpProblem(400, 'badParameter', 'x-oc-mtime: must be seconds since 1970')
  return new Date(seconds * 1000)
}

function changed(): HttpProblem {
  return new HttpProblem(412, 'changed', 'It is not what this request is meant for any more.')
}

function isAny(header: string): boolean {
  return header.trim() === '*'
}

function readTags(header: string): string[] {
  return header.match(/(W\/)?"[^"]*"/g) ?? []
}

function weakly(tag: string): string {
  return tag.replace(/^W\//, '')
}

/** By seconds, which is what `Last-Modified` says. */
function isModifiedSince(header: string | undefined, { modifiedAt }: FileStamp): boolean {
  const since = readDate(header)
  return since !== undefined && Math.floor(modifiedAt.getTime() / 1000) * 1000 > since
}

const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** One of the three forms of a date (5.6.7), ms; what is none is left out, as if the header were not there (13.1.4). */
function readDate(header: string | undefined): number | undefined {
  const text = header?.trim() ?? ''
  if (!httpDates.some((form) => form.test(text))) return undefined
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(time) ? undefined : time
}
