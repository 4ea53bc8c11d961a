import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { dnsProgram, startPowerDns, type TestPowerDns, whyNoDnsPrograms } from '@atoll/testkit'
import { median, type Ratio } from '../figures.ts'

const rounds = 9
const seconds = 1
const manyZones = 10_000

export const zoneName = (index: number) => `zone${index}.bench.example`

/** Questions per second over UDP: ours ÷ the least that Node can do, ÷ PowerDNS, and with 10 000 zones ÷ with one. */
export async function measureDns(): Promise<(Ratio | string)[]> {
  const missing = whyNoDnsPrograms()
  if (missing !== undefined) return [`SKIPPED questions to the name server: ${missing}`]
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-dns-'))
  const children: ChildProcess[] = []
  async function start(what: string): Promise<number> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'dns-responder.ts'), what], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    for await (const line of createInterface({ input: child.stdout })) return Number(line)
    throw new Error(`the responder ${what} ended before it listened`)
  }
  await using powerDns = await startPowerDns()
  try {
    await fillPowerDns(powerDns)
    const questions = {
      one: writeQuestions(join(folder, 'one.txt'), () => 0),
      many: writeQuestions(join(folder, 'many.txt'), (index) => index),
    }
    const ports = { bare: await start('bare'), one: await start('1'), many: await start(String(manyZones)) }
    const rates = { bare: [] as number[], one: [] as number[], many: [] as number[], powerDns: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      for (const what of ['bare', 'one', 'many'] as const)
        rates[what].push(ask(ports[what], what === 'many' ? questions.many : questions.one))
      rates.powerDns.push(ask(powerDns.dnsPort, questions.one))
    }
    const ratio = (name: string, over: number[], under: number[], atLeast: number): Ratio => ({
      name,
      value: median(over.map((rate, round) => rate / (under[round] ?? Number.NaN))),
      target: { atLeast },
      from: `${median(over).toFixed(0)}/s, ${median(under).toFixed(0)}/s, ${rounds} rounds of ${seconds} s`,
    })
    return [
      ratio('name server, questions/s ÷ bare UDP responder', rates.one, rates.bare, 0.5),
      ratio('name server, questions/s ÷ PowerDNS, its cache warm', rates.one, rates.powerDns, 0.35),
      ratio('name server, questions/s with 10 000 zones ÷ with one', rates.many, rates.one, 0.9),
    ]
  } finally {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same zone as ours; then everything that is asked lies in its caches. */
async function fillPowerDns(powerDns: TestPowerDns): Promise<void> {
  const rrset = (name: string, type: string, content: string) => ({
    name: `${name}.`,
    type,
    ttl: 60,
    changetype: 'REPLACE',
    records: [{ content, disabled: false }],
  })
  const domain = zoneName(0)
  const made = await powerDns.ask('POST', 'zones', {
    name: `${domain}.`,
    kind: 'Native',
    nameservers: ['ns1.host.example.'],
    rrsets: ['lena', '*.lena'].map((label) => rrset(`${label}.${domain}`, 'A', '192.0.2.1')),
  })
  if (made.status !== 201) throw new Error(`PowerDNS did not take the zone: ${made.text}`)
}

/** As many questions for either, so that `dnsperf` has the same work. */
function writeQuestions(file: string, zoneOf: (index: number) => number): string {
  const names = Array.from({ length: manyZones }, (_, index) => {
    const host = index % 2 === 0 ? 'lena' : `any${index}.lena`
    return `${host}.${zoneName(zoneOf(index))} A`
  })
  writeFileSync(file, `${names.join('\n')}\n`)
  return file
}

/** Answers per second. */
function ask(port: number, questions: string): number {
  const { path, env } = dnsProgram('dnsperf')
  const load = ['-l', String(seconds), '-c', '4', '-q', '100']
  const said = execFileSync(path, ['-s', '127.0.0.1', '-p', String(port), '-d', questions, ...load], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  const rate = /Queries per second:\s+([\d.]+)/.exec(said)?.[1]
  if (rate === undefined || !/Response codes:\s+NOERROR \d+ \(100\.00%\)/.test(said))
    throw new Error(`not every question was answered:\n${said}`)
  return Number(rate)
}
