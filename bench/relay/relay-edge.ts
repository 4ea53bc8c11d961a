/**
 * The edge of the benches, in a process of its own: one host goes straight to the instance, one over the relay, one
 * straight and kept to a bandwidth that is never reached. With `UNMETERED` what passes is not written anywhere. Hosts
 * that begin with `flood` are another cluster's, of a machine that means harm.
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
const floodPlace = { clusterId: 'cl_flood0000000', instanceId: 'in_flood0000000', serving: true }
const ports = { instancePort: 0, floodPort: 0 }
const edge = createEdge({
  db,
  clock: systemClock,
  listener: await createListener({ connection: { connectionString }, log: silentLog }),
  log: silentLog,
  config: { host: '127.0.0.1', product: 'Atoll', trustProxy: 0, ...withoutLimits },
  peerProofs: ['bench'],
  agents: {
    meetDial: async ({ authorization = '' }) => ({
      instanceId: authorization.includes(floodPlace.instanceId) ? floodPlace.instanceId : place.instanceId,
    }),
    listEnrolled: async (ids) => [...ids],
  },
  addTraffic: process.env['UNMETERED'] ? async () => undefined : (at, counted) => addTraffic(db, at, counted),
  findRoute: async (host) => ({
    ...(host.startsWith('flood') ? floodPlace : place),
    clusterHost: host,
    host: '127.0.0.1',
    port: host.startsWith('flood') ? ports.floodPort : ports.instancePort,
    viaRelay: host.endsWith('relayed.test'),
    bytesPerSecond: host === 'limited.test' ? 1e12 : undefined,
  }),
})
const port = await edge.listen(0)
process.on('message', (message: Partial<typeof ports>) => {
  Object.assign(ports, message)
  process.send?.({ ready: true })
})
process.send?.({ port })
