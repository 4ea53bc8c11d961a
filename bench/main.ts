/**
 * `npm run bench`: how much this project adds to what it is built on, as ratios from one run on one machine.
 * Exit code 1 when a target is missed.
 */
import { availableParallelism } from 'node:os'
import { startServer, whyNoLxd } from '@atoll/testkit'
import { buildFrontEnd, isCurrent, listFrontEnds } from '../scripts/front-ends.ts'
import { measureCreateToRunning, processBench } from './create-to-running.ts'
import { measureEventDelay } from './event-delay.ts'
import { isMet, type Ratio, ratioLine } from './figures.ts'
import { measureFleet } from './fleet.ts'
import { measureListCalls } from './list-calls.ts'
import { measureLxdCreate } from './lxd-create.ts'
import { measurePageLoads } from './page-loads.ts'
import { measureRelay } from './relay.ts'
import { measureSignIns } from './sign-ins.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

say(`Node ${process.version}, ${availableParallelism()} cores`)
// An install checks the pages that an instance serves, so they must be there.
for (const frontEnd of listFrontEnds()) if (!isCurrent(frontEnd)) await buildFrontEnd(frontEnd)
const ratios: Ratio[] = []
{
  const env = { ATOLL_SIGN_IN_RATE: '1000000', ATOLL_VCPU_QUOTA: '1000', ATOLL_LOG_LEVEL: 'warn' }
  await using server = await startServer({ env })
  say(`server ready in ${server.startedInMs} ms`)
  ratios.push(await measureCreateToRunning(server, processBench))
  say(`figure  ${await measureSignIns(server)}`)
  say(`figure  ${await measureEventDelay(server)}`)
  ratios.push(...(await measurePageLoads(server)))
}
const noLxd = whyNoLxd()
if (noLxd === undefined) ratios.push(await measureLxdCreate())
else say(`SKIPPED create to running on LXD: ${noLxd}`)
for (const line of await measureFleet()) say(`figure  ${line}`)
ratios.push(...(await measureRelay()))
ratios.push(...(await measureListCalls()))
for (const ratio of ratios) say(ratioLine(ratio))
process.exitCode = ratios.every(isMet) ? 0 : 1
