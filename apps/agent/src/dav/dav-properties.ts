/** Files and folders as WebDAV shows them, in XML. */
import type { Looked } from '../drive/drive-entry.ts'
import type { DriveLock } from '../drive/drive-locks.ts'
import { addressOf } from './dav-address.ts'
import { childOf, childrenOf, dav, escapeXml, malformed, type XmlElement } from './dav-xml.ts'
import type { PropertyName } from './dead-properties.ts'

/** Most properties that one request may name. */
const mostNames = 200

/** All that a PROPFIND may ask for. */
export type Wanted = { kind: 'all' | 'names' } | { kind: 'these'; names: PropertyName[] }

/** A request without a body asks for all. */
export function readWanted(body: XmlElement | undefined): Wanted {
  if (!body) return { kind: 'all' }
  if (body.namespace !== dav || body.name !== 'propfind') throw malformed()
  if (childOf(body, 'propname')) return { kind: 'names' }
  const prop = childOf(body, 'prop')
  if (prop) return { kind: 'these', names: childrenOf(prop).slice(0, mostNames) }
  if (childOf(body, 'allprop')) return { kind: 'all' }
  throw malformed()
}

export interface Described extends Looked {
  path: string
  locks: readonly DriveLock[]
  dead: readonly (PropertyName & { xml: string })[]
  space: { usedBytes: number; freeBytes: number }
}

/** Properties that the server computes; programs cannot set them. */
export const liveNames = [
  'resourcetype',
  'displayname',
  'getlastmodified',
  'getcontentlength',
  'getcontenttype',
  'getetag',
  'supportedlock',
  'lockdiscovery',
  'quota-available-bytes',
  'quota-used-bytes',
  'creationdate',
] as const

/** The values of live properties that the entry has, as XML. */
function liveOf({ entry, stamp, locks, space }: Described): Partial<Record<(typeof liveNames)[number], string>> {
  const isFolder = entry.kind === 'folder'
  return {
    resourcetype: isFolder ? '<D:collection/>' : '',
    displayname: escapeXml(entry.name),
    getlastmodified: new Date(entry.modifiedAt).toUTCString(),
    ...(!isFolder && {
      getcontentlength: String(entry.size),
      getcontenttype: 'application/octet-stream',
      getetag: escapeXml(stamp.etag),
    }),
    supportedlock: ['exclusive', 'shared']
      .map((scope) => `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope>${writeLock}</D:lockentry>`)
      .join(''),
    lockdiscovery: locks.map(describeLock).join(''),
    ...(isFolder && {
      'quota-available-bytes': String(space.freeBytes),
      'quota-used-bytes': String(space.usedBytes),
    }),
  }
}

const writeLock = '<D:locktype><D:write/></D:locktype>'

export function describeLock({ token, names, isDeep, isExclusive, owner, seconds }: DriveLock): string {
  const root = addressOf(`/${names.join('/')}`, false)
  return [
    `<D:activelock>${writeLock}<D:lockscope><D:${isExclusive ? 'exclusive' : 'shared'}/></D:lockscope>`,
    `<D:depth>${isDeep ? 'infinity' : '0'}</D:depth>${owner}<D:timeout>Second-${seconds}</D:timeout>`,
    `<D:locktoken><D:href>${escapeXml(token)}</D:href></D:locktoken>`,
    `<D:lockroot><D:href>${escapeXml(root)}</D:href></D:lockroot></D:activelock>`,
  ].join('')
}

/** The part of a multi-status about one entry. */
export function describe(described: Described, wanted: Wanted): string {
  const live = liveOf(described)
  const found: string[] = []
  const missing: string[] = []
  if (wanted.kind === 'these') {
    for (const name of wanted.names) {
      const value = name.namespace === dav ? Object.entries(live).find(([key]) => key === name.name)?.[1] : undefined
      const dead = described.dead.find((one) => one.name === name.name && one.namespace === name.namespace)
      if (value !== undefined) found.push(`<D:${name.name}>${value}</D:${name.name}>`)
      else if (dead) found.push(dead.xml)
      else missing.push(writeName(name))
    }
  } else {
    for (const [key, value] of Object.entries(live)) {
      // The quota is sent only where it is asked for by name (RFC 4331, 3).
      if (wanted.kind === 'names') found.push(`<D:${key}/>`)
      else if (!key.startsWith('quota-')) found.push(`<D:${key}>${value}</D:${key}>`)
    }
    for (const dead of described.dead) found.push(wanted.kind === 'names' ? writeName(dead) : dead.xml)
  }
  const parts = [propstat(200, found), propstat(404, missing)].join('')
  return response(described, parts === '' ? propstat(200, [' ']) : parts)
}

export function response({ path, entry }: Pick<Described, 'path' | 'entry'>, parts: string): string {
  return `<D:response><D:href>${escapeXml(addressOf(path, entry.kind === 'folder'))}</D:href>${parts}</D:response>`
}

const phrases = { 200: 'OK', 403: 'Forbidden', 404: 'Not Found', 424: 'Failed Dependency' }

export function propstat(status: keyof typeof phrases, properties: readonly string[]): string {
  if (properties.length === 0) return ''
  const line = `HTTP/1.1 ${status} ${phrases[status]}`
  return `<D:propstat><D:prop>${properties.join('')}</D:prop><D:status>${line}</D:status></D:propstat>`
}

export function writeName({ namespace, name }: PropertyName): string {
  return namespace === dav ? `<D:${name}/>` : `<${name} xmlns="${escapeXml(namespace)}"/>`
}

export const multistatus = {
  begin: '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">',
  end: '</D:multistatus>',
}
