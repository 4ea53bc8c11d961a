/**
 * The wait of one cluster's visitors while another's machine sends more than anybody reads, directly and over the
 * relay; the edge has 384 MB.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { startPostgresServer } from '@atoll/testkit'
import { Client } from 'pg'
import { median, type Ratio } from '../figures.ts'
import { portOf, start } from '../relay/load.ts'
import type { MachineFloodSetup } from './machines-flood.ts'
import { compareUnderFlood, startFlood } from './under-flood.ts'

const requests = 400

export async function measureMachineFloods(): Promise<(Ratio | string)[]> {
  const postgres = await startPostgresServer()
  const children: ChildProcess[] = []
  try {
    const client = new Client({ connectionString: postgres.url('postgres') })
    await client.connect()
    await client.query('create database machines')
    await client.end()
    const edge = start(children, 'relay-edge.ts', {
      DATABASE_URL: postgres.url('machines'),
      NODE_OPTIONS: '--max-old-space-size=384',
    })
    const edgePort = await portOf(edge)
    const instance = start(children, 'relay-instance.ts', { EDGE_URL: `http://127.0.0.1:${edgePort}` })
    const setup: MachineFloodSetup = { edgePort }
    using flood = await startFlood('machines-flood.ts', setup)
    edge.send({ instancePort: await portOf(instance), floodPort: Number(await flood.end()) })
    await once(edge, 'message')
    const agent = new http.Agent({ keepAlive: true })
    const ask = async (host: string) => {
      const taken: number[] = []
      for (let n = 0; n < requests; n += 1) {
        const begun = performance.now()
        const request = http.get({ host: '127.0.0.1', port: edgePort, path: '/500', headers: { host }, agent })
        const [answer] = await once(request, 'response')
        answer.resume()
        await once(answer, 'end')
        taken.push(performance.now() - begun)
      }
      return median(taken)
    }
    const measure = async () => ({ straight: await ask('straight.test'), 'over the relay': await ask('relayed.test') })
    const nameOf = (way: string) => `a stranger's request ${way} under a flood of machines`
    const ratios = await compareUnderFlood(flood, measure, nameOf)
    agent.destroy()
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${edge.pid}/status`, 'utf8'))?.[1]
    return [...ratios, `edge under floods of machines: at most ${(Number(peak) / 1024).toFixed(0)} MiB resident`]
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await postgres.stop()
  }
}
