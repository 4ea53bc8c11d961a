/**
 * The drive over WebDAV (RFC 4918, class 1 and 2) at `/dav`: its addresses and bodies, over the drive's own operations.
 * Each change first keeps the conditions of the request and the locks of others. A folder is listed with what is in it,
 * never with all below it (9.1, `propfind-finite-depth`).
 */
import { once } from 'node:events'
import type { Looked } from '../drive/drive-entry.ts'
import { formatDrivePath, parseDrivePath } from '../drive/drive-path.ts'
import type { FileStamp } from '../drive/file-stamp.ts'
import { download, upload } from '../http/drive-routes.ts'
import { type Exchange, readText, sendNothing } from '../http/exchange.ts'
import { requireConditions } from '../http/preconditions.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { isDavAddress, pathOfAddress, readDestination } from './dav-address.ts'
import { type Dav, type DavExchange, find, inFolder, readXml, sendMultistatus } from './dav-exchange.ts'
import { type Described, describe, multistatus, readWanted } from './dav-properties.ts'
import { type IfHeader, parseIf } from './if-header.ts'
import { lock, unlock } from './locking.ts'
import { patchProperties } from './patch-properties.ts'

type Method = (dav: Dav, exchange: DavExchange) => Promise<void>

const methods: Readonly<Record<string, Method>> = {
  OPTIONS: async (_, { res }) => {
    res.setHeader('allow', Object.keys(methods).join(', '))
    res.setHeader('dav', '1, 2')
    res.setHeader('ms-author-via', 'DAV') // without it Windows looks for another protocol first
    sendNothing(res)
  },
  GET: ({ drive }, exchange) => download(drive, exchange, exchange.path),
  HEAD: ({ drive }, exchange) => download(drive, exchange, exchange.path),
  PUT: put,
  DELETE: remove,
  MKCOL: makeFolder,
  COPY: (dav, exchange) => transfer(dav, exchange, false),
  MOVE: (dav, exchange) => transfer(dav, exchange, true),
  PROPFIND: findProperties,
  PROPPATCH: patchProperties,
  LOCK: lock,
  UNLOCK: unlock,
}
const reads = ['OPTIONS', 'GET', 'HEAD', 'PROPFIND']

export function davChanges(method: string | undefined): boolean {
  return !reads.includes(method ?? '')
}

/** Answers one request, whose sender has signed in with the app password `holder`. */
export async function answerDav(dav: Dav, exchange: Exchange, holder: string): Promise<void> {
  const { req, url } = exchange
  const method = Object.hasOwn(methods, req.method ?? '') ? methods[req.method ?? ''] : undefined
  if (!method) {
    const problem = new HttpProblem(405, 'badParameter', 'This address knows no such method.')
    problem.allow = Object.keys(methods).join(', ')
    throw problem
  }
  // A fragment is no part of an address that is asked for; without it another entry would be meant.
  if (req.url?.includes('#')) throw new HttpProblem(400, 'badParameter', 'The address has a fragment.')
  const condition = parseIf(req.headers['if'])
  const path = pathOfAddress(url.pathname)
  if (condition && !(await holds(dav, condition, path)))
    throw new HttpProblem(412, 'changed', 'It is not what this request is meant for any more.')
  await method(dav, { ...exchange, holder, path, condition, tokens: condition?.tokens ?? [] })
}

async function holds({ drive, locks }: Dav, { lists }: IfHeader, path: string): Promise<boolean> {
  for (const { resource, conditions } of lists) {
    const own = resource === undefined ? path : readResource(resource)
    if (own === undefined) continue
    const etag = (await find(drive, own))?.stamp.etag
    const tokens = locks.covering(parseDrivePath(own)).map(({ token }) => token)
    if (conditions.every((one) => (one.token ? tokens.includes(one.token) : one.etag === etag) !== one.isNot))
      return true
  }
  return false
}

function readResource(address: string): string | undefined {
  const url = URL.canParse(address, 'http://server') ? new URL(address, 'http://server') : undefined
  return url && isDavAddress(url.pathname) ? pathOfAddress(url.pathname) : undefined
}

async function put({ drive, locks, dead }: Dav, exchange: DavExchange): Promise<void> {
  const { path, tokens } = exchange
  const before = await find(drive, path)
  const check = () => locks.require(path, { tokens, isMember: !before })
  const whenPut = async () => {
    if (before) await dead.carry(before.identity, (await drive.look(path)).identity)
  }
  await inFolder(upload(drive, exchange, { path, check, whenPut }))
}

async function remove({ drive, locks }: Dav, { req, res, path, tokens }: DavExchange): Promise<void> {
  await drive.remove(path, (present) => {
    locks.require(path, { tokens, isMember: true, isTree: true })
    requireConditions(req.headers, present)
  })
  locks.forget(path)
  sendNothing(res)
}

async function makeFolder({ drive, locks }: Dav, { req, res, path, tokens }: DavExchange): Promise<void> {
  if ((await readText(req)) !== '') throw new HttpProblem(415, 'badParameter', 'body: this method takes none')
  locks.require(path, { tokens, isMember: true })
  if (await find(drive, path)) {
    const problem = new HttpProblem(405, 'exists', 'There is something of this name.')
    problem.allow = Object.keys(methods).join(', ')
    throw problem
  }
  requireConditions(req.headers, undefined)
  await inFolder(drive.makeFolder(path))
  sendCreated(res, true)
}

async function transfer({ drive, locks, dead }: Dav, exchange: DavExchange, moves: boolean): Promise<void> {
  const { req, res, path, tokens } = exchange
  const to = readDestination(req.headers.destination, req.headers.host)
  const replace = String(req.headers['overwrite'] ?? 'T').toUpperCase() !== 'F'
  const source = await drive.look(path)
  if (path.replace(/\/$/, '') === to.replace(/\/$/, ''))
    throw new HttpProblem(403, 'intoItself', 'It is there already.')
  const requireLocks = () => {
    for (const touched of moves ? [path, to] : [to]) locks.require(touched, { tokens, isMember: true, isTree: true })
  }
  requireLocks()
  if (!replace && (await find(drive, to))) throw new HttpProblem(412, 'exists', 'There is something of this name.')
  const check = (present: FileStamp | undefined) => {
    requireLocks() // once more in the very act: a copy takes a while
    requireConditions(req.headers, present)
  }
  const shallow = req.headers['depth'] === '0'
  const { isNew } = await inFolder(
    moves ? drive.move(path, to, { replace, check }) : drive.copy(path, to, { replace, check, shallow }),
  )
  if (moves) locks.forget(path)
  else await dead.carry(source.identity, (await drive.look(to)).identity)
  sendCreated(res, isNew)
}

function sendCreated(res: Exchange['res'], isNew: boolean): void {
  res.writeHead(isNew ? 201 : 204, { 'cache-control': 'no-store', ...(isNew && { 'content-length': 0 }) })
  res.end()
}

async function findProperties({ drive, locks, dead }: Dav, { req, res, path }: DavExchange): Promise<void> {
  const wanted = readWanted(await readXml(req))
  const depth = String(req.headers['depth'] ?? 'infinity')
  const top = await drive.look(path)
  if (depth !== '0' && depth !== '1' && top.entry.kind === 'folder')
    throw new HttpProblem(403, 'badParameter', 'depth: must be 0 or 1')
  const [usedBytes, freeBytes] = await Promise.all([drive.space.usedBytes(), drive.space.freeBytes()])
  const names = parseDrivePath(path)
  // By names and not by path: a script may have given a file a name that no request can ask for.
  const show = (looked: Looked, at: readonly string[]): string => {
    const described: Described = {
      ...looked,
      path: formatDrivePath(at),
      locks: locks.covering(at),
      dead: dead.of(looked.identity),
      space: { usedBytes, freeBytes },
    }
    return describe(described, wanted)
  }
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  sendMultistatus(res)
  res.write(show(top, names))
  if (depth === '1' && top.entry.kind === 'folder')
    for await (const some of drive.lookInto(path)) {
      if (res.destroyed) return
      const text = some.map((looked) => show(looked, [...names, looked.entry.name])).join('')
      if (!res.write(text)) await once(res, 'drain', { signal: gone.signal })
    }
  res.end(multistatus.end)
}
