/**
 * The wait of other users alone and under a flood, in turns of one run, so that other load on the machine falls on
 * both.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { median, type Ratio } from '../figures.ts'

/** An odd number, so that the median is one of them; the first is a warm-up. */
const rounds = 5

/** A flood in a process of its own, so that what it costs its sender is not measured. */
export interface Flood extends Disposable {
  /** Resolves once it flows. */
  begin(): Promise<void>
  /** Resolves with how much of it was sent since it began, in words. */
  end(): Promise<string>
}

/** A message of a flood's program to the bench. */
export type FloodReport = { flows: true } | { sent: string }

/** `program`: of this folder. It hears 'begin' and 'end', and answers each. */
export async function startFlood(program: string, setup: object): Promise<Flood> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url)), JSON.stringify(setup)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await answerOf(child)
  return {
    async begin() {
      child.send('begin')
      await answerOf(child)
    },
    async end() {
      child.send('end')
      const report = await answerOf(child)
      return 'sent' in report ? report.sent : ''
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}

async function answerOf(child: ChildProcess): Promise<FloodReport> {
  const ended = new AbortController()
  const fail = () => ended.abort(new Error('the program of a flood ended'))
  child.once('exit', fail)
  try {
    const [report] = await once(child, 'message', { signal: ended.signal })
    return report
  } finally {
    child.off('exit', fail)
  }
}

/** Answers what the bench asks of a program of a flood; says first that it is there. */
export function serveFlood({ begin, end }: { begin(): void | Promise<void>; end(): string | Promise<string> }): void {
  const say = (report: FloodReport) => process.send?.(report)
  process.on('message', async (asked) => {
    if (asked === 'begin') {
      await begin()
      say({ flows: true })
    } else say({ sent: await end() })
  })
  say({ flows: true })
}

/** `measure`: each figure of the stranger, by its name, in ms. */
export async function compareUnderFlood<Figure extends string>(
  flood: Flood,
  measure: () => Promise<Record<Figure, number>>,
  nameOf: (figure: Figure) => string,
): Promise<Ratio[]> {
  const pairs: { alone: Record<Figure, number>; flooded: Record<Figure, number>; sent: string }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const alone = await measure()
    await flood.begin()
    const flooded = await measure()
    const sent = await flood.end()
    if (round > 0) pairs.push({ alone, flooded, sent })
  }
  const figures = Object.keys(pairs[0]?.alone ?? {}) as Figure[] // of the record itself
  return figures.map((figure) => {
    const ratios = pairs.map(({ alone, flooded }) => flooded[figure] / alone[figure])
    const mid = (when: 'alone' | 'flooded') => median(pairs.map((pair) => pair[when][figure])).toFixed(1)
    return {
      name: `${nameOf(figure)}, times alone`,
      value: median(ratios),
      target: { atMost: 1.5 },
      from: `median of ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}; ${mid('flooded')} against ${mid('alone')} ms; flood of a round: ${pairs.at(-1)?.sent}`,
    }
  })
}
