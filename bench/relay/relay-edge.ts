/**
 * The edge of the benches, in a process of its own: one host goes straight to the instance, one over the relay, one
 * straight and kept to a bandwidth that is never reached. With `UNMETERED` what passes is not written anywhere.
 */

import { addTraffic, createEdge } from '../../apps/server/src/modules/edge/index.ts'
import { withoutLimits } from '../../apps/server/src/modules/edge/testing/test-edge.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createDatabase, migrate } from '../../apps/server/src/platform/db/index.ts'
import { createListener } from '../../apps/server/src/platform/events/index.ts'
import { silentLog } from '../../apps/server/src/platform/log.ts'

const connectionString = process.env['DATABASE_URL'] ?? ''
const { db, pool } = createDatabase({ connectionString })
await migrate(pool)
const place = { clusterId: 'cl_bench0000000', instanceId: 'in_bench0000000', serving: true }
let instancePort = 0
const edge = createEdge({
  db,
  clock: systemClock,
  listener: await createListener({ connection: { connectionString }, log: silentLog }),
  log: silentLog,
  config: { host: '127.0.0.1', product: 'Atoll', trustProxy: 0, ...withoutLimits },
  peerProof: 'bench',
  agents: { meetDial: async () => ({ instanceId: place.instanceId }), listEnrolled: async (ids) => [...ids] },
  addTraffic: process.env['UNMETERED'] ? async () => undefined : (at, counted) => addTraffic(db, at, counted),
  findRoute: async (host) => ({
    ...place,
    clusterHost: host,
    host: '127.0.0.1',
    port: instancePort,
    viaRelay: host === 'relayed.test',
    bytesPerSecond: host === 'limited.test' ? 1e12 : undefined,
  }),
})
const port = await edge.listen(0)
process.on('message', (message: { instancePort: number }) => {
  instancePort = message.instancePort
  process.send?.({ ready: true })
})
process.send?.({ port })
