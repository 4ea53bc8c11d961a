/** The listener that restic reaches: its REST protocol, versions 1 and 2 (design: vault). */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isNoAnswer } from '../../../platform/db/index.ts'
import { S3Error } from '../../../platform/drivers/s3/s3-client.ts'
import { listenAt, type Place } from '../../../platform/listening.ts'
import type { Log } from '../../../platform/log.ts'
import { networkOf, visitorBits } from '../../../platform/network-of.ts'
import { createRateCounter } from '../../../platform/rates/index.ts'
import type { Ticker } from '../../../platform/ticker.ts'
import { longestFile } from '../guards/file-rules.ts'
import { type PlanFileDeps, writePlanFile } from '../maintenance/plan-files.ts'
import { removeFile, removeLostLock, removeUnusedKeys } from '../records/file-removal.ts'
import { trashFiles } from '../records/file-store.ts'
import { findGranted, type Granted } from '../records/grant-store.ts'
import { requestScrub } from '../records/scrub-store.ts'
import { findTrouble } from '../store-trouble.ts'
import type { VaultCounts } from '../vault-counts.ts'
import { SlowBody } from './paced-body.ts'
import { readPath, type Target } from './read-path.ts'
import { type ReceiveDeps, type Received, receiveFile } from './receive-file.ts'
import { isAllowed } from './rights.ts'
import { sendFile } from './send-file.ts'
import { sendList } from './send-list.ts'
import { createListener, type TlsFiles } from './vault-tls.ts'

export interface VaultServerDeps extends ReceiveDeps, Pick<PlanFileDeps, 'planFiles'> {
  log: Log
  counts: VaultCounts
  config: { host: string; vaultTls?: TlsFiles | undefined; rateFactor?: number | undefined }
}

export interface VaultServer {
  /** Resolves with the port, which differs from the one asked for when that was 0. */
  listen(place: Place): Promise<number>
  /** Takes no new connection, lets what is under way finish for `graceMs`, then cuts. */
  close(graceMs: number): Promise<void>
}

/** How long the rest of a refused body is read, so that the sender receives the answer, ms. */
const discardMs = 30_000
/** A connection on which nothing moves, ms. */
const idleMs = 620_000
/**
 * Requests a minute: restic reads and writes a pack in each, some hundred a second on a quick line. Networks are
 * counted before the database is asked; behind one are many machines, or the proxy of all.
 */
const mostRequests = { network: 240_000, account: 60_000 }

const answers: Readonly<Record<Received, [status: number, text: string]>> = {
  kept: [200, ''],
  wrongHash: [400, 'the content does not have this SHA-256'],
  exists: [403, 'the repository has a config already'],
  overQuota: [507, 'the backup quota of the account is used up'],
  diskFull: [507, "the vault's disk is full"],
  tooMany: [403, 'the grant does not let more files of this type be stored'],
  grantEnded: [401, 'the grant has ended'],
  notReserved: [503, 'the vault was away for too long; send it again'],
}

export function createVaultServer(deps: VaultServerDeps): VaultServer {
  const { db, clock, driver, log, counts, config } = deps
  const patience = { keepAliveTimeout: 65_000, headersTimeout: 15_000, requestTimeout: 0 }
  const { server, watch } = createListener(patience, config.vaultTls)
  const counter = createRateCounter()
  const factor = config.rateFactor ?? 1
  let watching: Ticker | undefined
  server.setTimeout(idleMs)
  server.on('request', (req, res) => void answer(req, res))
  server.on('checkContinue', (req, res) => void answer(req, res))

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // While closing, a connection whose answer is through would be kept open for its next request.
    res.once('close', () => {
      counts.answered(req.method ?? '', res.statusCode)
      if (!server.listening) server.closeIdleConnections()
    })
    try {
      await serve(req, res)
    } catch (error) {
      fail(req, res, error)
    }
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (isTooOften(req, res, 'network', networkOf(req.socket.remoteAddress ?? '', visitorBits))) return
    const target = readPath(req.url ?? '')
    const proof = readBasicAuth(req.headers.authorization)
    const wanted = target?.kind === 'file' ? target : undefined
    const granted = proof && (await findGranted(db, proof, wanted, clock.now()))
    if (!granted) {
      res.setHeader('www-authenticate', 'Basic realm="vault"')
      return say(req, res, 401, 'no grant that holds')
    }
    if (isTooOften(req, res, 'account', granted.owner)) return
    // Not even the existence of another's repository is revealed.
    if (!target || target.repositoryId !== granted.repositoryId) return say(req, res, 404, 'there is no such thing')
    const method = req.method ?? ''
    const known = methodsOf(target)
    if (!known.includes(method)) {
      res.setHeader('allow', known.join(', '))
      return say(req, res, 405, 'this cannot be done here')
    }
    if (!isAllowed(method, target, granted)) return say(req, res, 403, 'the grant does not let this be done')
    switch (target.kind) {
      case 'repository':
        return await create(req, res, target, granted)
      case 'list':
        return await sendList(db, req, res, target)
      case 'file':
        return await serveFile(req, res, target, granted)
    }
  }

  /** As HTTP says it: restic takes 200 for stored, and comes back after 429. */
  function isTooOften(req: IncomingMessage, res: ServerResponse, whose: 'network' | 'account', key: string): boolean {
    const { isAllowed, waitSeconds } = counter.take(`${whose} ${key}`, mostRequests[whose] * factor)
    if (isAllowed) return false
    res.setHeader('retry-after', waitSeconds)
    say(req, res, 429, 'too many requests')
    return true
  }

  async function create(
    req: IncomingMessage,
    res: ServerResponse,
    { create: creates }: Target & { kind: 'repository' },
    { repositoryId, owner }: Granted,
  ): Promise<void> {
    if (!creates) return say(req, res, 400, 'only ?create=true is known')
    await driver.prepare(repositoryId)
    await writePlanFile(deps, repositoryId)
    await removeUnusedKeys(driver, db, { repositoryId, owner }, clock.now())
    say(req, res, 200)
  }

  async function serveFile(
    req: IncomingMessage,
    res: ServerResponse,
    target: Target & { kind: 'file' },
    granted: Granted,
  ): Promise<void> {
    if (req.method === 'POST') return await receive(req, res, target, granted)
    const { file, repositoryId, owner, grantId } = granted
    // Also for a file that is gone: a client that received no answer repeats the request.
    if (req.method === 'DELETE') {
      const { type, name } = target
      if (type === 'locks') await removeFile(driver, db, { ...target, owner }, clock.now())
      else {
        const trash = { repositoryId, by: grantId, files: { type, names: [name] } }
        await db.transaction().execute((trx) => trashFiles(trx, trash, clock.now()))
      }
      return say(req, res, 200)
    }
    if (!file || file.trashed) return say(req, res, 404, 'there is no such file')
    const sender = {
      driver,
      onSent: counts.sent,
      onDamage: () => void requestScrub(db, target, clock.now()).catch(warn),
    }
    if (await sendFile(sender, req, res, { key: target, expected: file.bytes, content: file.content, isBad: file.bad }))
      return
    // Under way in the copy that this database was restored from, say: listed on, it would stop the next run.
    if (target.type === 'locks') await removeLostLock(driver, db, { ...target, owner }, clock.now())
    say(req, res, 404, 'there is no such file')
  }

  async function receive(
    req: IncomingMessage,
    res: ServerResponse,
    key: Target & { kind: 'file' },
    granted: Granted,
  ): Promise<void> {
    const length = req.headers['content-length']
    if (length === undefined) return say(req, res, 411, 'the length must be announced')
    const bytes = Number(length)
    const longest = longestFile[key.type]
    if (bytes > longest) return say(req, res, 413, `a file of ${key.type} has at most ${longest} bytes`)
    const isAsking = req.headers.expect !== undefined
    const onReading = () => {
      if (isAsking) res.writeContinue()
    }
    const received = await receiveFile(deps, req, { key, bytes, granted, onReading })
    if (received === 'kept') counts.received(bytes)
    else log.info({ repositoryId: key.repositoryId, type: key.type, name: key.name, received }, 'a file was not taken')
    say(req, res, ...answers[received])
  }

  function fail(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    // The database's connection breaks off by the same codes as the sender's, who then waits for an answer.
    if (error instanceof SlowBody || (isCut(error) && req.socket.destroyed)) {
      log.info({ reason: String(error) }, 'a request was cut')
      return void res.destroy()
    }
    if (res.headersSent) {
      log.error({ err: error }, 'an answer could not be finished')
      return void res.destroy()
    }
    const trouble = findTrouble(error)
    if (trouble !== undefined) {
      log.error({ err: error, path: req.url }, trouble)
      return void say(req, res, 503, `${trouble}. The operator of the vault has to fix this.`)
    }
    if (error instanceof S3Error) {
      log.warn({ err: error }, 'S3 did not do what the vault asked')
      if (error.status === 507) return void say(req, res, ...answers.diskFull)
      return void say(req, res, 503, 'the vault cannot reach its files; try again')
    }
    if (isFull(error)) return void say(req, res, ...answers.diskFull)
    log.error({ err: error }, 'a request of the vault failed')
    say(req, res, isNoAnswer(error) ? 503 : 500, 'the vault could not do it; try again')
  }

  const warn = (error: unknown) => log.warn({ err: error }, 'a damaged file could not be noted')

  return {
    async listen(place) {
      const port = await listenAt(server, place, config.host)
      watching = watch(log)
      return port
    },
    async close(graceMs) {
      // Its port may have been taken.
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      await watching?.stop()
      clearTimeout(timer)
    },
  }
}

/** Answers in plain text, and takes what is left of the body from the line. */
function say(req: IncomingMessage, res: ServerResponse, status: number, text = ''): void {
  if (res.destroyed) return
  const isWhole = req.complete || (req.headers['content-length'] ?? '0') === '0'
  res.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...(!isWhole && { connection: 'close' }),
  })
  res.end(req.method === 'HEAD' ? undefined : text)
  if (req.complete) return
  const timer = setTimeout(() => req.destroy(), discardMs)
  req.once('close', () => clearTimeout(timer))
  req.resume()
}

/** Methods of the protocol; what a grant lets do is another matter. */
function methodsOf({ kind }: Target): readonly string[] {
  switch (kind) {
    case 'repository':
      return ['POST', 'DELETE']
    case 'list':
      return ['GET', 'HEAD']
    case 'file':
      return ['GET', 'HEAD', 'POST', 'DELETE']
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
/** The other side went away. */
const isCut = (error: unknown) =>
  ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'].includes(String(codeOf(error)))
const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error)))

/** Reads a header `authorization` of RFC 7617: grant and token; undefined where there are none. */
function readBasicAuth(header: string | undefined): { grantId: string; token: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]{4,400}={0,2})$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const [, grantId, token] = /^(vg_[a-z2-7]{20}):([\w-]{43})$/.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return grantId !== undefined && token !== undefined ? { grantId, token } : undefined
}
