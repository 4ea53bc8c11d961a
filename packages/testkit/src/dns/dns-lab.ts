/**
 * The world's DNS in small: a root with its servers and two resolvers, programs of others, on loopback addresses that
 * are this process's own. Delegations always mean port 53, so it needs root; nothing in it asks anybody outside.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../until.ts'
import { type DnsProgramName, dig, dnsProgram, whyNoDnsPrograms } from './dns-programs.ts'

/** The two servers of the root and of every zone in it. */
export type LabServer = 'one' | 'two'

export interface DnsLab extends AsyncDisposable {
  /** `192.0.2.1` in small: the lab's address with this last number, 100 and above for tests. */
  address(last: number): string
  /** A resolver that believes, and one that checks signatures below `broken.example`, where there are none. */
  resolvers: { name: string; address: string; port: number }[]
  /**
   * Makes the records of a zone be these, lines of a zone file with names relative to it, at one server or at both;
   * resolves when they are served. SOA (negative answers last `negativeTtl` s) and NS are added.
   */
  setZone(zone: string, lines: readonly string[], options?: { at?: LabServer; negativeTtl?: number }): Promise<void>
}

/** Why there can be no lab here, as the end of a sentence; undefined when there can. */
export function whyNoDnsLab(): string | undefined {
  return whyNoDnsPrograms() ?? (process.getuid?.() === 0 ? undefined : 'port 53 needs root')
}

/**
 * `zones`: below the root, such as `example` and `lagoon.example`; each is delegated to both servers by the one above.
 * `anchors`: DS records that the resolver that checks signatures believes.
 */
export async function startDnsLab(zones: readonly string[], anchors: readonly string[] = []): Promise<DnsLab> {
  const folder = mkdtempSync(join(tmpdir(), `atoll-dns-${process.pid}-`))
  const address = (last: number) => `127.${64 + ((process.pid >> 8) % 128)}.${process.pid % 256}.${last}`
  const hosts = { one: address(11), two: address(12) }
  const children: ChildProcess[] = []
  const said: string[] = []
  const all = ['.', ...zones]
  let serial = 0

  function run(name: DnsProgramName, args: string[]): ChildProcess {
    const { path, env } = dnsProgram(name)
    const child = spawn(path, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(`${name}: ${chunk}`))
    children.push(child)
    return child
  }

  const zoneFile = (server: LabServer, zone: string) => join(folder, server, `${zone === '.' ? 'root' : zone}.zone`)

  function writeZone(server: LabServer, zone: string, lines: readonly string[], negativeTtl: number): void {
    const origin = zone === '.' ? '.' : `${zone}.`
    const children = zones.filter((other) => other !== zone && parentOf(other, zones) === (zone === '.' ? '' : zone))
    const delegations = children.flatMap((child) => [`${child}. NS one.lab.`, `${child}. NS two.lab.`])
    const glue = zone === '.' ? [`one.lab. A ${hosts.one}`, `two.lab. A ${hosts.two}`] : []
    const soa = `@ SOA one.lab. hostmaster.lab. ${serial} 3600 600 86400 ${negativeTtl}`
    const head = [`$ORIGIN ${origin}`, '$TTL 60', soa, '@ NS one.lab.', '@ NS two.lab.']
    writeFileSync(zoneFile(server, zone), `${[...head, ...delegations, ...glue, ...lines].join('\n')}\n`)
  }

  function startServer(server: LabServer): ChildProcess {
    const own = join(folder, server)
    const config = [
      'server:',
      `  ip-address: ${hosts[server]}`,
      '  username: ""',
      '  chroot: ""',
      '  database: ""',
      `  pidfile: "${own}/nsd.pid"`,
      `  xfrdfile: "${own}/xfrd.state"`,
      `  zonelistfile: "${own}/zone.list"`,
      `  zonesdir: "${own}"`,
      '  server-count: 1',
      'remote-control:',
      '  control-enable: no',
      ...all.flatMap((zone) => ['zone:', `  name: "${zone}"`, `  zonefile: "${zoneFile(server, zone)}"`]),
    ]
    writeFileSync(join(own, 'nsd.conf'), `${config.join('\n')}\n`)
    return run('nsd', ['-d', '-c', join(own, 'nsd.conf')])
  }

  function startResolver(name: string, last: number, more: readonly string[]): void {
    const config = [
      'server:',
      `  interface: ${address(last)}`,
      '  port: 53',
      '  access-control: 127.0.0.0/8 allow',
      '  do-not-query-localhost: no',
      '  do-daemonize: no',
      `  directory: "${folder}"`,
      '  chroot: ""',
      '  username: ""',
      '  pidfile: ""',
      '  use-syslog: no',
      '  num-threads: 1',
      '  ede: yes',
      // Unbound answers test zones as empty unless told otherwise.
      '  local-zone: "example." nodefault',
      '  local-zone: "test." nodefault',
      `  root-hints: "${folder}/root.hints"`,
      ...more.map((line) => `  ${line}`),
      'remote-control:',
      '  control-enable: no',
    ]
    writeFileSync(join(folder, `${name}.conf`), `${config.join('\n')}\n`)
    run('unbound', ['-d', '-c', join(folder, `${name}.conf`)])
  }

  const serves = async (server: string, zone: string, expected: number) =>
    (await dig(`@${server}`, '+short', zone, 'SOA')).includes(` ${expected} 3600 `)
  const last = () => said.slice(-20).join('')

  async function dispose(): Promise<void> {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
        child.kill('SIGTERM')
        await ended
      }),
    )
    rmSync(folder, { recursive: true, force: true })
  }

  const servers: Partial<Record<LabServer, ChildProcess>> = {}
  try {
    writeFileSync(join(folder, 'root.hints'), `. 3600 NS one.lab.\none.lab. 3600 A ${hosts.one}\n`)
    serial += 1
    for (const server of ['one', 'two'] as const) {
      mkdirSync(join(folder, server))
      for (const zone of all) writeZone(server, zone, [], 60)
      servers[server] = startServer(server)
    }
    startResolver('believing', 21, ['module-config: "iterator"'])
    const believed = [`broken.example. DS 12345 8 2 ${'0123456789abcdef'.repeat(4)}`, ...anchors]
    const anchored = believed.map((anchor) => `trust-anchor: "${anchor}"`)
    startResolver('checking', 22, ['module-config: "validator iterator"', ...anchored])
    for (const server of [hosts.one, hosts.two, address(21), address(22)])
      await until(`${server} answers`, () => serves(server, '.', 1), { onTimeout: last })
  } catch (error) {
    await dispose()
    throw error
  }

  return {
    address,
    resolvers: [
      { name: 'Believing', address: address(21), port: 53 },
      { name: 'Checking', address: address(22), port: 53 },
    ],
    async setZone(zone, lines, { at, negativeTtl = 60 } = {}) {
      serial += 1
      const expected = serial
      for (const server of at ? [at] : (['one', 'two'] as const)) {
        writeZone(server, zone, lines, negativeTtl)
        servers[server]?.kill('SIGHUP')
        await until(
          `${zone} is served by ${server}`,
          async () => {
            if (await serves(hosts[server], zone, expected)) return true
            servers[server]?.kill('SIGHUP')
            return false
          },
          { onTimeout: last, intervalMs: 200 },
        )
      }
    },
    [Symbol.asyncDispose]: dispose,
  }
}

/** The nearest of `zones` above one; '' is the root. */
function parentOf(zone: string, zones: readonly string[]): string {
  const above = zones.filter((other) => other !== zone && zone.endsWith(`.${other}`))
  return above.toSorted((a, b) => b.length - a.length)[0] ?? ''
}
