/** LOCK and UNLOCK. A name that is free is locked by an empty file (RFC 4918, 7.3). */
import { Readable } from 'node:stream'
import { longestLock } from '../drive/drive-locks.ts'
import { sendNothing } from '../http/exchange.ts'
import { requireConditions } from '../http/preconditions.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { type Dav, type DavExchange, find, inFolder, readXml } from './dav-exchange.ts'
import { describeLock } from './dav-properties.ts'
import { childOf, dav, malformed, writeXml } from './dav-xml.ts'

/** Most characters that a program may write about itself in a lock. */
const longestOwner = 2048

export async function lock({ drive, locks }: Dav, exchange: DavExchange): Promise<void> {
  const { req, res, path, holder, tokens } = exchange
  const body = await readXml(req)
  const seconds = readTimeout(req.headers['timeout'])
  if (!body) {
    const refreshed = locks.refresh(path, tokens, seconds)
    if (!refreshed) throw new HttpProblem(412, 'changed', 'There is no such lock.')
    return sendLock(res, 200, describeLock(refreshed))
  }
  const scope = childOf(body, 'lockscope')
  if (body.namespace !== dav || body.name !== 'lockinfo' || !scope) throw malformed()
  const owner = childOf(body, 'owner')
  const ownerXml = owner ? writeXml(owner) : ''
  if (ownerXml.length > longestOwner) throw new HttpProblem(413, 'tooLarge', 'The owner of the lock is too long.')
  const present = await find(drive, path)
  requireConditions(req.headers, present?.stamp)
  if (!present) locks.require(path, { tokens, isMember: true })
  const made = locks.add(path, {
    isDeep: req.headers['depth'] !== '0',
    isExclusive: childOf(scope, 'shared') === undefined,
    owner: ownerXml,
    holder,
    seconds,
  })
  if (!present)
    await inFolder(drive.write(path, Readable.from([]), { length: 0, replace: false })).catch((error: unknown) => {
      locks.release(path, made.token)
      throw error
    })
  res.setHeader('lock-token', `<${made.token}>`)
  sendLock(res, present ? 200 : 201, describeLock(made))
}

export async function unlock({ locks }: Dav, { req, res, path }: DavExchange): Promise<void> {
  const [, token] = /^\s*<([^<>]{1,200})>\s*$/.exec(String(req.headers['lock-token'] ?? '')) ?? []
  if (token === undefined) throw new HttpProblem(400, 'badParameter', 'lock-token: must be one, in < and >')
  if (!locks.release(path, token)) throw new HttpProblem(409, 'notFound', 'There is no such lock.')
  sendNothing(res)
}

/** `Second-1800, Infinite`: the first that can be read. */
function readTimeout(header: string | string[] | undefined): number {
  const [, seconds] = /Second-(\d{1,10})/i.exec(String(header ?? '')) ?? []
  return Math.min(Math.max(Number(seconds ?? longestLock), 1), longestLock)
}

function sendLock(res: DavExchange['res'], status: number, described: string): void {
  const text = `<?xml version="1.0" encoding="utf-8"?>\n<D:prop xmlns:D="DAV:"><D:lockdiscovery>${described}</D:lockdiscovery></D:prop>`
  res.writeHead(status, {
    'content-type': 'application/xml; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  })
  res.end(text)
}
