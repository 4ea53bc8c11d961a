/**
 * The cost of the relay: the same instance behind the same edge, asked over TCP and over its own dialled connection.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startPostgresServer } from '@atoll/testkit'
import { Client } from 'pg'
import { median, type Ratio } from '../figures.ts'
import { measure, portOf, type Run, start } from './load.ts'

/** An odd number, so that the median is one of them; the first is a warm-up. */
const rounds = 7

const ways = ['straight', 'relayed'] as const
type Way = (typeof ways)[number]

/** Throughput over the relay against direct HTTP through the edge: bulk both ways, and small requests. */
export async function measureRelay(): Promise<Ratio[]> {
  const postgres = await startPostgresServer()
  const children: ChildProcess[] = []
  try {
    const client = new Client({ connectionString: postgres.url('postgres') })
    await client.connect()
    await client.query('create database relay')
    await client.end()
    const edge = start(children, 'relay-edge.ts', { DATABASE_URL: postgres.url('relay') })
    const edgePort = await portOf(edge)
    // The instance says its own port once it has dialled.
    const instance = start(children, 'relay-instance.ts', { EDGE_URL: `http://127.0.0.1:${edgePort}` })
    edge.send({ instancePort: await portOf(instance) })
    await once(edge, 'message')

    const runs: Record<Way, Run[]> = { straight: [], relayed: [] }
    for (let round = 0; round <= rounds; round += 1) {
      for (const way of ways) runs[way].push(await measure(edgePort, `${way}.test`))
    }
    return [
      compare('relay, downloads', runs, 'down', 'MB/s'),
      compare('relay, uploads', runs, 'up', 'MB/s'),
      compare('relay, small requests', runs, 'small', 'requests/s'),
    ]
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await postgres.stop()
  }
}

function compare(name: string, runs: Record<Way, Run[]>, what: keyof Run, unit: string): Ratio {
  const figure = (way: Way) => runs[way].slice(1).map((run) => run[what])
  // Of pairs that were measured one after the other: a machine that slows down slows down both.
  const ratios = figure('relayed').map((value, at) => value / (figure('straight')[at] ?? Number.NaN))
  const words = ways.map((way) => `${way} ${median(figure(way)).toFixed(0)} ${unit}`)
  return {
    name: `${name} against direct HTTP through the edge`,
    value: median(ratios),
    target: { atLeast: 0.7 },
    from: `${words.join(', ')}; median of ${rounds} pairs`,
  }
}
