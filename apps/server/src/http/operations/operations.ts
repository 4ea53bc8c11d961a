/** Endpoints for the people and machines that run a deployment: /healthz, /readyz, /metrics. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { equalSecrets } from '../../platform/crypto.ts'
import { listMissingMigrations } from '../../platform/db/index.ts'
import { currentBuild } from '../../platform/install.ts'
import { isLoopback } from '../../platform/network-of.ts'
import { distOf, type PageApp } from '../pages/spa.ts'
import { defineEndpoint } from '../rates/define-endpoint.ts'
import { isForwarded } from '../request/local-request.ts'
import type { HttpConfig } from '../settings.ts'
import type { Metrics } from './metrics.ts'

/** Answers what is wrong in words, or nothing. */
export type ReadinessCheck = () => Promise<string | undefined>

export interface OperationsOptions {
  metrics: Metrics
  /** Conditions that must hold before this process should be sent work, by name. */
  checks: Record<string, ReadinessCheck>
  /** Conditions that an operator should know of though work may go on, by name. */
  details?: Record<string, ReadinessCheck>
  /** When there is one, /metrics asks for it as a bearer token; it may change. */
  metricsToken(): string | undefined
  /** Strangers may reach this port (`mayBeReached`): without a token, /metrics is then for nobody. */
  isPublic: boolean
}

/**
 * Whether strangers may reach the ports of this process: they are bound to more than loopback, or a proxy forwards
 * requests of a public address to them, as for an `api`.
 */
export function mayBeReached(config: Pick<HttpConfig, 'host' | 'publicUrl'>, isApi: boolean): boolean {
  return !isLoopback(config.host) || (isApi && !isLoopback(new URL(config.publicUrl).hostname))
}

/** A check that takes longer counts as failed, ms. */
const checkWithinMs = 2000

export function mountOperations(app: FastifyInstance, options: OperationsOptions): void {
  const { metrics, checks, details = {}, isPublic } = options
  app.route({
    ...defineEndpoint({
      method: 'GET',
      url: '/healthz',
      openBecause: 'it says of this process only whether it answers',
    }),
    async handler(_, reply) {
      reply.header('cache-control', 'no-store')
      return { status: 'ok', ...currentBuild() }
    },
  })

  app.route({
    ...defineEndpoint({ method: 'GET', url: '/readyz', openBecause: 'it says of this process only whether it serves' }),
    async handler(_, reply) {
      const [results, notes] = await Promise.all([answersOf(checks), answersOf(details)])
      const ready = results.every(([, result]) => result === 'ok')
      reply.status(ready ? 200 : 503).header('cache-control', 'no-store')
      return { ready, ...Object.fromEntries([...results, ...notes]) }
    },
  })

  app.route({
    ...defineEndpoint({
      method: 'GET',
      url: '/metrics',
      openBecause: 'it asks for ATOLL_METRICS_TOKEN where that is set',
    }),
    async handler(request, reply) {
      const metricsToken = options.metricsToken()
      const isOpen = metricsToken === undefined && !isPublic && !isForwarded(request)
      const isProven =
        metricsToken !== undefined && equalSecrets(request.headers.authorization ?? '', `Bearer ${metricsToken}`)
      if (!isOpen && !isProven) {
        const hint = metricsToken === undefined ? 'Set ATOLL_METRICS_TOKEN to read this.\n' : undefined
        return reply.status(401).header('www-authenticate', 'Bearer').send(hint)
      }
      return reply.header('content-type', metrics.contentType).send(await metrics.text())
    },
  })
}

/** The failed ones of `checks`, in words; undefined: all pass. */
export async function findUnready(checks: Record<string, ReadinessCheck>): Promise<string | undefined> {
  const problems = (await answersOf(checks)).filter(([, answer]) => answer !== 'ok')
  return problems.length === 0 ? undefined : problems.map(([name, answer]) => `${name}: ${answer}`).join('; ')
}

async function answersOf(checks: Record<string, ReadinessCheck>): Promise<[name: string, answer: string][]> {
  return await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, (await withinTime(check)) ?? 'ok'] as [string, string]),
  )
}

/** The result of a check, or that it took too long. */
export async function withinTime(check: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${checkWithinMs} ms`), checkWithinMs)
  })
  try {
    return await Promise.race([check(), late])
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}

/** The database answers. */
export function databaseCheck(pool: Pool): ReadinessCheck {
  return async () => {
    await pool.query('select 1')
    return undefined
  }
}

/** Every migration this code needs has run. */
export function migrationsCheck(pool: Pool): ReadinessCheck {
  return async () => {
    const missing = await listMissingMigrations(pool)
    return missing.length === 0 ? undefined : `not applied: ${missing.join(', ')}`
  }
}

/** The output of `npm run build` for an app exists and this process may read it. */
export function pagesCheck(apps: readonly PageApp[]): ReadinessCheck {
  return async () => {
    for (const app of apps) {
      try {
        await access(join(distOf(app), 'index.html'), constants.R_OK)
      } catch (error) {
        const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
        return `the pages of the ${app} ${isMissing ? 'are not built' : 'cannot be read by this user'}: npm run build`
      }
    }
    return undefined
  }
}
