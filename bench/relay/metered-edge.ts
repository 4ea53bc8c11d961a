/** What counting and limits cost at the edge: bulk both ways and small requests, with them and without. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startPostgresServer } from '@atoll/testkit'
import { Client } from 'pg'
import { median, type Ratio } from '../figures.ts'
import { measure, portOf, type Run, start } from './load.ts'

/** Pairs; the first is a warm-up. */
const rounds = 9

/** An edge that writes what it carries and keeps its cluster to a bandwidth, against one that does neither. */
export async function measureMeteredEdge(): Promise<Ratio[]> {
  const postgres = await startPostgresServer()
  const children: ChildProcess[] = []
  try {
    const client = new Client({ connectionString: postgres.url('postgres') })
    await client.connect()
    for (const name of ['metered', 'plain']) await client.query(`create database ${name}`)
    await client.end()
    const metered = start(children, 'relay-edge.ts', { DATABASE_URL: postgres.url('metered') })
    const plain = start(children, 'relay-edge.ts', { DATABASE_URL: postgres.url('plain'), UNMETERED: '1' })
    const [meteredPort, plainPort] = [await portOf(metered), await portOf(plain)]
    const instance = start(children, 'relay-instance.ts', { EDGE_URL: `http://127.0.0.1:${meteredPort}` })
    const instancePort = await portOf(instance)
    for (const edge of [metered, plain]) {
      edge.send({ instancePort })
      await once(edge, 'message')
    }
    const pairs: { with: Run; without: Run }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const [first, second] = [() => measure(meteredPort, 'limited.test'), () => measure(plainPort, 'straight.test')]
      // In turn, so that neither is always the second.
      const pair =
        round % 2 === 0
          ? { with: await first(), without: await second() }
          : { without: await second(), with: await first() }
      if (round > 0) pairs.push(pair)
    }
    return (['down', 'up', 'small'] as const).map((what) => compare(pairs, what))
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await postgres.stop()
  }
}

const words = { down: 'downloads, MB/s', up: 'uploads, MB/s', small: 'small requests a second' }

function compare(pairs: readonly { with: Run; without: Run }[], what: keyof Run): Ratio {
  const [metered, plain] = [pairs.map((pair) => pair.with[what]), pairs.map((pair) => pair.without[what])]
  return {
    name: `edge with metering and limits ÷ without, ${words[what]}`,
    value: median(pairs.map((pair) => pair.with[what] / pair.without[what])),
    target: { atLeast: 0.95 },
    from: `${median(metered).toFixed(0)} against ${median(plain).toFixed(0)}; median of ${pairs.length} pairs`,
  }
}
