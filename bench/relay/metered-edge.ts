/** The cost of counting and limits at the edge: bulk both ways and small requests, with and without them. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { startPostgresServer } from '@atoll/testkit'
import { Client } from 'pg'
import { median, type Ratio } from '../figures.ts'
import { portOf, start, type Visitor, visit } from './load.ts'

/** Pairs; the first is a warm-up. */
const rounds = 9
/** Turns that the two take within a pair of small requests, ms: what the machine does besides falls on both alike. */
const [turns, turnMs] = [6, 250]

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
    const visitors = [visit(meteredPort, 'limited.test'), visit(plainPort, 'straight.test')] as const
    // Apart, the small ones first: what bulk leaves an edge to collect is no cost of the requests that come after it.
    const small = await takePairs(visitors, inTurns)
    const bulk = await takePairs(visitors, async (first, second) => [await first.bulk(), await second.bulk()])
    for (const visitor of visitors) visitor.leave()
    return [
      compare(
        bulk.map(({ metered: one, plain: other }) => [one.down, other.down]),
        'downloads, MB/s',
      ),
      compare(
        bulk.map(({ metered: one, plain: other }) => [one.up, other.up]),
        'uploads, MB/s',
      ),
      compare(
        small.map(({ metered: one, plain: other }) => [one, other]),
        'small requests a second',
      ),
    ]
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await postgres.stop()
  }
}

type Pair<Value> = { metered: Value; plain: Value }

/** Which of the two is first changes from pair to pair. */
async function takePairs<Value>(
  [metered, plain]: readonly [Visitor, Visitor],
  take: (first: Visitor, second: Visitor) => Promise<[Value, Value]>,
): Promise<Pair<Value>[]> {
  const pairs: Pair<Value>[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const isFirst = round % 2 === 0
    const [one, other] = isFirst ? await take(metered, plain) : await take(plain, metered)
    if (round > 0) pairs.push(isFirst ? { metered: one, plain: other } : { metered: other, plain: one })
  }
  return pairs
}

async function inTurns(first: Visitor, second: Visitor): Promise<[number, number]> {
  let [one, other] = [0, 0]
  for (let turn = 0; turn < turns; turn += 1) {
    one += (await first.small(turnMs)) / turns
    other += (await second.small(turnMs)) / turns
  }
  return [one, other]
}

/** `pairs`: metered, plain. */
function compare(pairs: readonly (readonly [number, number])[], what: string): Ratio {
  const [metered, plain] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)]
  return {
    name: `edge with metering and limits ÷ without, ${what}`,
    value: median(pairs.map(([one, other]) => one / other)),
    target: { atLeast: 0.95 },
    from: `${median(metered).toFixed(0)} against ${median(plain).toFixed(0)}; median of ${pairs.length} pairs`,
  }
}
