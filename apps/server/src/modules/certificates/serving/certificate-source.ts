/**
 * The certificates of this edge process: read when a visitor names a host, cached until a notice reports another. While
 * the database is unavailable the cached ones are used. A handshake for a host whose certificate is being ordered waits
 * for it, for a limited time.
 */
import { hash } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { z } from 'zod'
import type { Listener } from '../../../platform/events/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { CertificateDeps } from '../certificate-deps.ts'
import { noteVisit, orderVisited, replaceCertificate } from '../lifecycle/visit.ts'
import { certificateChannel, listCovering, type ServedCertificate } from '../stores/certificate-store.ts'
import { openCertificate } from '../stores/open-certificate.ts'
import { findHttpAnswer } from '../stores/order-store.ts'

export interface CertificateSource {
  /** For the host (lower case) of a handshake; undefined: there is none, and the handshake is refused. */
  find(host: string): Promise<SecureContext | undefined>
  /** The answer of `host` to the authority's request for `token`. */
  findAnswer(host: string, token: string): Promise<string | undefined>
  close(): void
}

/** A handshake waits so long for a certificate that is being ordered, ms. */
const handshakeWaitMs = 10_000
/** In case a notice was lost, ms. */
const keptMs = 60_000
/** For hosts without one: names that visitors make up, ms. */
const missKeptMs = 2000
const maxHosts = 10_000
const maxContexts = 5000

const Changed = z.object({ names: z.array(z.string()) })

interface Kept {
  context: Promise<SecureContext | undefined>
  until: number
}

export function createCertificateSource(deps: CertificateDeps & { listener: Listener; log: Log }): CertificateSource {
  const { db, sealer, listener, log } = deps
  const kept = new Map<string, Kept>()
  /** By the certificate: hosts share wildcards. */
  const contexts = new Map<string, SecureContext>()
  const waiting = new Map<string, Set<() => void>>()
  let isClosed = false

  const isCovered = (host: string, name: string) =>
    name === host || (name.startsWith('*.') && host.slice(host.indexOf('.')) === name.slice(1))

  const stops = [
    listener.on(certificateChannel, (payload) => {
      const { names } = Changed.parse(payload)
      const concerns = (host: string) => names.some((name) => isCovered(host, name))
      for (const host of kept.keys()) if (concerns(host)) kept.delete(host)
      for (const [host, wakes] of waiting) if (concerns(host)) for (const wake of wakes) wake()
    }),
    listener.onResync(() => {
      kept.clear()
      for (const wakes of waiting.values()) for (const wake of wakes) wake()
    }),
  ]

  async function read(host: string): Promise<{ context?: SecureContext; isComing: boolean }> {
    const rows = await listCovering(db, host)
    for (const row of rows) {
      if (row.chain === null) continue
      const key = `${row.id} ${hash('sha256', row.chain, 'base64')}`
      const known = contexts.get(key)
      if (known) {
        await visit(row, host)
        return { context: known, isComing: false }
      }
      const opened = openCertificate(sealer, row)
      if (!opened) {
        log.error({ certificate: row.id, host }, 'a certificate has no key that fits; another is ordered')
        if (deps.ca) await replaceCertificate(deps, row.id)
        continue
      }
      const context = createSecureContext({ cert: opened.chain, key: opened.key, minVersion: 'TLSv1.2' })
      contexts.set(key, context)
      const oldest = contexts.keys().next().value
      if (contexts.size > maxContexts && oldest !== undefined) contexts.delete(oldest)
      await visit(row, host)
      return { context, isComing: false }
    }
    const isComing = deps.ca !== undefined && rows.some(({ wanted }) => wanted)
    return { isComing: isComing || (rows.length === 0 && (await orderVisited(deps, host))) }
  }

  /** That a visit could not be noted refuses nobody. */
  async function visit(row: ServedCertificate, host: string): Promise<void> {
    try {
      await noteVisit(deps, row, host)
    } catch (error) {
      log.warn({ err: error, host }, 'a visit could not be noted')
    }
  }

  async function readOrWait(host: string): Promise<SecureContext | undefined> {
    const end = performance.now() + handshakeWaitMs
    for (;;) {
      // Heard from now on, so that nothing comes between the reading and the waiting.
      const news = awaitNews(host)
      try {
        const { context, isComing } = await read(host)
        const leftMs = end - performance.now()
        if (context || !isComing || leftMs <= 0 || isClosed) return context
        if (!(await news.within(leftMs))) return undefined
      } finally {
        news.stop()
      }
    }
  }

  function awaitNews(host: string) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const wake = () => resolve(true)
    const wakes = waiting.get(host) ?? new Set()
    waiting.set(host, wakes.add(wake))
    let timer: NodeJS.Timeout | undefined
    return {
      within(ms: number) {
        timer = setTimeout(() => resolve(false), ms)
        return promise
      },
      stop() {
        clearTimeout(timer)
        wakes.delete(wake)
        if (wakes.size === 0) waiting.delete(host)
      },
    }
  }

  function keep(host: string, context: Promise<SecureContext | undefined>): Kept {
    const entry: Kept = { context, until: Number.POSITIVE_INFINITY }
    kept.delete(host)
    kept.set(host, entry)
    const oldest = kept.keys().next().value
    if (kept.size > maxHosts && oldest !== undefined) kept.delete(oldest)
    context.then(
      (found) => {
        entry.until = performance.now() + (found ? keptMs : missKeptMs)
      },
      () => {
        if (kept.get(host) === entry) kept.delete(host)
      },
    )
    return entry
  }

  return {
    async find(host) {
      const known = kept.get(host)
      if (known && known.until > performance.now()) return await known.context
      const found = readOrWait(host).catch((error: unknown) => {
        if (!known) throw error
        log.warn({ err: error, host }, 'a certificate could not be looked up; the last one known is used')
        return known.context
      })
      return await keep(host, found).context
    },
    findAnswer: (host, token) => findHttpAnswer(db, host, token),
    close() {
      isClosed = true
      for (const stop of stops) stop()
      for (const wakes of waiting.values()) for (const wake of wakes) wake()
    },
  }
}
