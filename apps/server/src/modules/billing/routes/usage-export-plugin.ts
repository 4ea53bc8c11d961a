import { UsageDaysFilter, usageExportPath } from '@atoll/contract/billing'
import type { FastifyPluginAsync } from 'fastify'
import { csvExportPlugin } from '../../../http/csv-export.ts'
import type { Authenticate } from '../../../http/request/authenticate-request.ts'
import type { UsageRow } from '../usage/days/show-days.ts'
import { usageColumns } from '../usage/days/usage-csv.ts'

interface ExportDeps {
  billing: { listUsageRows(userid: string, filter: UsageDaysFilter): Promise<UsageRow[]> }
  authenticate: Authenticate
}

type Numbered = UsageRow & { index: number }

/**
 * `POST /v1/bill/usage/export`: usage of a period by cluster and day, as CSV. The rows are computed once for a request,
 * so that those of one file add up while the period goes on.
 */
export function usageExportPlugin({ billing, authenticate }: ExportDeps): FastifyPluginAsync {
  // By the filter, which each request parses for itself.
  const computed = new WeakMap<UsageDaysFilter, Promise<Numbered[]>>()
  function rowsOf(userid: string, filter: UsageDaysFilter): Promise<Numbered[]> {
    const rows = computed.get(filter) ?? compute(userid, filter)
    computed.set(filter, rows)
    return rows
  }
  async function compute(userid: string, filter: UsageDaysFilter): Promise<Numbered[]> {
    return (await billing.listUsageRows(userid, filter)).map((row, index) => ({ ...row, index }))
  }
  return csvExportPlugin<UsageDaysFilter, Numbered>(authenticate, {
    path: usageExportPath,
    fileName: 'usage.csv',
    filter: UsageDaysFilter,
    columns: usageColumns,
    count: async ({ userid }, filter) => (await rowsOf(userid, filter)).length,
    async read({ userid }, filter, limit, last) {
      const from = last ? last.index + 1 : 0
      return (await rowsOf(userid, filter)).slice(from, from + limit)
    },
  })
}
