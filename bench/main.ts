/**
 * `npm run bench`: how much this project adds to what it is built on, as ratios from one run on one machine; each part
 * is reported when it has ended. `npm run bench -- relay lists` measures those parts alone. Exit code 1 when a target
 * is missed.
 */
import { availableParallelism } from 'node:os'
import { type ServerProcess, startServer, whyNoLxd } from '@atoll/testkit'
import { isCurrent, listFrontEnds } from '../scripts/building/build-state.ts'
import { buildFrontEnd } from '../scripts/building/front-ends.ts'
import { measureBackups } from './backups/backups.ts'
import { measureBillCalls } from './billing/bill-calls.ts'
import { measureCardOrders } from './billing/card-orders.ts'
import { measureInvoicePdf } from './billing/invoice-pdf.ts'
import { measureLedger } from './billing/ledger.ts'
import { measureMonthEnd } from './billing/month-end.ts'
import { measureCharts } from './charts.ts'
import { measureCreateToRunning, processBench } from './create-to-running.ts'
import { measureDns } from './domains/dns.ts'
import { measureHttps } from './domains/https.ts'
import { measurePresentations } from './domains/presentations.ts'
import { measureZoneChanges } from './domains/zone-changes.ts'
import { isMet, type Ratio, ratioLine } from './figures.ts'
import { measureEventDelay } from './fleet/event-delay.ts'
import { measureFleet } from './fleet/fleet.ts'
import { measureSamples } from './fleet/samples.ts'
import { measureAgentFlood } from './floods/agents.ts'
import { measureCallFlood } from './floods/calls.ts'
import { measureMachineFloods } from './floods/machines.ts'
import { measureWaitingWork } from './floods/waiting-work.ts'
import { measureListCalls } from './list-calls.ts'
import { measureLxdCreate } from './lxd-create.ts'
import { measureOperatorLists } from './operator/lists.ts'
import { measurePageLoads } from './page-loads.ts'
import { measureMeteredEdge } from './relay/metered-edge.ts'
import { measureRelay } from './relay/relay.ts'
import { measureSignIns } from './sign-ins.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Results of a part: ratios are held to their targets, lines are for the reader. */
type Found = Ratio | string

async function withServer(measure: (server: ServerProcess) => Promise<Found[]>): Promise<Found[]> {
  const env = {
    ATOLL_SIGN_IN_RATE: '1000000',
    ATOLL_RATE_FACTOR: '1000',
    ATOLL_VCPU_QUOTA: '1000',
    ATOLL_LOG_LEVEL: 'warn',
  }
  await using server = await startServer({ env })
  return await measure(server)
}

const parts: Record<string, () => Promise<Found[]>> = {
  create: () => withServer(async (server) => [await measureCreateToRunning(server, processBench)]),
  'sign-ins': () => withServer(async (server) => [await measureSignIns(server)]),
  events: () => withServer(async (server) => [await measureEventDelay(server)]),
  pages: () => withServer(measurePageLoads),
  charts: async () => [await measureCharts()],
  lxd: async () => {
    const missing = whyNoLxd()
    return missing === undefined ? [await measureLxdCreate()] : [`SKIPPED create to running on LXD: ${missing}`]
  },
  fleet: measureFleet,
  relay: measureRelay,
  'metered-edge': measureMeteredEdge,
  lists: measureListCalls,
  'operator-lists': measureOperatorLists,
  samples: measureSamples,
  ledger: async () => [await measureLedger()],
  'month-end': measureMonthEnd,
  bill: measureBillCalls,
  'card-orders': async () => [await measureCardOrders()],
  pdf: async () => [await measureInvoicePdf()],
  dns: async () => [...(await measureDns()), await measureZoneChanges()],
  https: measureHttps,
  backups: measureBackups,
  'call-flood': measureCallFlood,
  'agent-flood': measureAgentFlood,
  'machine-floods': measureMachineFloods,
  'waiting-work': measureWaitingWork,
  presentations: async () => [await measurePresentations()],
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  say(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}

say(`Node ${process.version}, ${availableParallelism()} cores`)
// An install checks the pages that an instance serves, so they must be there.
for (const frontEnd of listFrontEnds()) if (!isCurrent(frontEnd)) await buildFrontEnd(frontEnd)
for (const [name, measure] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  for (const found of await measure()) {
    say(typeof found === 'string' ? `figure  ${found}` : ratioLine(found))
    if (typeof found !== 'string' && !isMet(found)) process.exitCode = 1
  }
}
