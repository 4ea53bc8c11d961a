/**
 * A name server as its own process, for `dnsperf`: `bare` answers every packet with the same bytes behind its question,
 * a number is how many zones ours serves. Says its port.
 */
import { createSocket } from 'node:dgram'
import { compileZone } from '../../apps/server/src/modules/dns/serving/compile-zone.ts'
import { createDnsServer } from '../../apps/server/src/modules/dns/serving/dns-server.ts'
import { createQueryCounts } from '../../apps/server/src/modules/dns/serving/query-counts.ts'
import { createZoneTable } from '../../apps/server/src/modules/dns/serving/zone-table.ts'
import { silentLog } from '../../apps/server/src/platform/log.ts'
import { zoneName } from './dns.ts'

async function startOurs(count: number): Promise<number> {
  const zones = createZoneTable(
    Array.from({ length: count }, (_, index) => {
      const domain = zoneName(index)
      const hosts = ['lena', '*.lena'].map((label) => `${label}.${domain}`)
      const records = hosts.map((name) => ({ name, type: 'A' as const, value: '192.0.2.1', ttl: 60 }))
      return compileZone({ domain, nameServers: ['ns1.host.example'], serial: 1, records })
    }),
  )
  const server = createDnsServer({ zones, counts: createQueryCounts(), log: silentLog, rate: 0 })
  return await server.listen('127.0.0.1', 0)
}

/** The least that Node can do for a question: its own bytes back, with one address behind them. */
function startBare(): Promise<number> {
  const address = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1])
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 }, (packet, peer) => {
    const answer = Buffer.concat([packet, address])
    answer.writeUInt16BE(0x8400, 2)
    answer.writeUInt16BE(1, 6)
    socket.send(answer, peer.port, peer.address)
  })
  return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket.address().port)))
}

const [what = 'bare'] = process.argv.slice(2)
const port = what === 'bare' ? await startBare() : await startOurs(Number(what))
process.stdout.write(`${port}\n`)
