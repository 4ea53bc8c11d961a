import { openMetricsEverySeconds, openMetricsPath } from '@atoll/contract/observe'
import type { FastifyPluginAsync } from 'fastify'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OwnedInstance } from '../alerts/alert-reads.ts'
import type { SampleStore } from '../samples/sample-store.ts'
import { type ScrapedBackup, type ScrapedUsage, writeScrape } from './scrape-text.ts'
import { authorizeScrape, type ScrapeTokenDeps } from './scrape-tokens.ts'

export interface ScrapeDeps extends ScrapeTokenDeps {
  samples: Pick<SampleStore, 'latest'>
  /** The living instances of this very account's clusters. */
  listOwned(db: Db, userid: string): Promise<OwnedInstance[]>
  readUsage(userid: string): Promise<ScrapedUsage[]>
  listBackups(userid: string): Promise<ScrapedBackup[]>
}

/** `GET /v1/openmetrics`. Prometheus goes by the status of HTTP itself and shows it alone: no envelope. */
export function scrapePlugin(deps: ScrapeDeps): FastifyPluginAsync {
  const { db, clock, samples } = deps
  return async (app) => {
    app.route({
      ...defineEndpoint({
        method: 'GET',
        url: openMetricsPath,
        openBecause: 'it asks for a token of its own, which reads measurements alone',
      }),
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const allowed = await authorizeScrape(deps, request.headers.authorization ?? '')
        if (allowed === 'unknown') {
          return reply
            .status(401)
            .header('www-authenticate', 'Bearer')
            .send('No metrics token, or one that was revoked.\n')
        }
        if (allowed === 'early') {
          const seconds = openMetricsEverySeconds
          return reply.status(429).header('retry-after', `${seconds}`).send(`Ask once in ${seconds} s.\n`)
        }
        const { userid } = allowed
        request.account = userid
        const [instances, usage, backups] = await Promise.all([
          deps.listOwned(db, userid),
          deps.readUsage(userid),
          deps.listBackups(userid),
        ])
        const latest = await samples.latest(instances.map(({ instanceId }) => instanceId))
        const { text, contentType } = await writeScrape({ instances, latest, usage, backups }, clock.now())
        return reply.header('content-type', contentType).send(text)
      },
    })
  }
}
