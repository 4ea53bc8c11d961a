import { AccountExportId, accountExportsPath, userExport, userExportAsk } from '@atoll/contract/accounts'
import { customerExport } from '@atoll/contract/staff'
import { codes, rates } from '@atoll/contract/wire'
import type { FastifyPluginAsync } from 'fastify'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import { type Authenticate, authenticateRequest } from '../../../http/request/authenticate-request.ts'
import { implement, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findDid, requireFreshSession } from '../../accounts/index.ts'
import { askExport, describeExport } from '../export-service.ts'
import { findBytes, findExport } from '../stores/export-store.ts'

interface ExportRouteDeps {
  db: Db
  clock: Clock
}

/** Calls about archives of an account's data: its owner's, and an operator's for a customer. */
export function exportRoutes(deps: ExportRouteDeps): Route[] {
  const { db } = deps
  return [
    implement(userExport, async (_, { account }) => ({ export: await describeExport(db, account.userid) })),
    implement(userExportAsk, async (_, { account: caller }) => {
      await requireFreshSession(deps, caller)
      return { exportId: await askExport(deps, { userid: caller.userid, caller }) }
    }),
    implement(customerExport, async ({ accountId, reason }, { account: caller }) => {
      await requireFreshSession(deps, caller)
      if ((await findDid(db, accountId)) === undefined) refuse('notFound', { object: 'account' })
      return { exportId: await askExport(deps, { userid: accountId, caller, reason }) }
    }),
  ]
}

/** The archive, to the owner and to an operator who asked for it, who signed in just now. */
export function exportFilePlugin(deps: ExportRouteDeps & { authenticate: Authenticate }): FastifyPluginAsync {
  const { db } = deps
  return async (app) => {
    app.route<{ Params: { file: string } }>({
      ...defineEndpoint({ method: 'GET', url: `${accountExportsPath}/:file`, rate: rates.costly, reach: 'account' }),
      async handler(request, reply) {
        const caller = { ...(await authenticateRequest(deps.authenticate, request, reply)), ip: request.ip }
        const id = AccountExportId.safeParse(/^(.+)\.zip$/.exec(request.params.file)?.[1]).data
        const row = id === undefined ? undefined : await findExport(db, id)
        const own = caller.userid
        const isMeant = row?.account_id === own || (row?.asked_by === own && caller.staff === 'operator')
        if (!row || !isMeant) return refuse('notFound', { object: 'export' })
        await requireFreshSession(deps, caller)
        const bytes = (await findBytes(db, row.id)) ?? refuse('notFound', { object: 'export' })
        request.answerCode = codes.ok
        return reply
          .type('application/zip')
          .header('content-disposition', `attachment; filename="${row.id}.zip"`)
          .header('cache-control', 'private, no-store')
          .send(bytes)
      },
    })
  }
}
