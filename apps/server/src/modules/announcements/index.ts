/** Announcements of operators, and the public page that says how the service does. */
import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { Log } from '../../platform/log.ts'
import type { LiveCatalog } from '../catalog/index.ts'
import type { Mail } from '../mail/index.ts'
import { announcementMails } from './announcement-mails.ts'
import { announcementRoutes } from './routes/announcement-routes.ts'
import { createStatusAnswers, type StatusAnswers } from './status/answer-status-page.ts'
import { type StatusMakeDeps, statusMake } from './status/status-make.ts'
import { statusPlugin } from './status/status-plugin.ts'

export type { StatusAnswers } from './status/answer-status-page.ts'
export { publishStatus } from './status/publish-status-page.ts'

export interface Announcements {
  routes: Route[]
  plugin: FastifyPluginAsync
  jobs: Job[]
}

interface StatusDeps {
  db: Db
  clock: Clock
  log: Log
  config: { product: string; publicUrl: string }
}

/** A process's own copy of the status, for whatever serves it there. */
export function createStatus({ db, clock, log, config }: StatusDeps): StatusAnswers {
  const { product, publicUrl } = config
  return createStatusAnswers({ db, log, product, publicUrl, now: () => clock.now() })
}

export function createAnnouncements(
  deps: StatusDeps & StatusMakeDeps & { catalog: LiveCatalog; mail: Pick<Mail, 'post'> },
): Announcements {
  return {
    routes: announcementRoutes(deps),
    plugin: statusPlugin(createStatus(deps)),
    jobs: [announcementMails(deps), statusMake(deps)],
  }
}
