import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../kernel/log.ts'
import { prepareCloudflared } from './cloudflared.ts'
import type { NetworkReport } from './endpoint.ts'
import { prepareFrpc } from './frpc.ts'
import { runProgram } from './tunnel-program.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-tunnels-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

const enrolled = { instanceId: 'in_reef00000000', clusterId: 'cl_reef00000000', token: 'x'.repeat(43) }
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('the configuration of a tunnel', () => {
  test('of frpc names this instance and its one proxy, and is private', async () => {
    const proxy = {
      kind: 'frp',
      serverAddr: 'frp.example',
      serverPort: 7000,
      authToken: 'sha"red',
      subdomain: 'reef',
      token: 'own',
    } as const
    const program = await prepareFrpc(proxy, { folder, enrolled, port: 4321 })
    const path = join(folder, 'frpc.toml')
    expect(await readFile(path, 'utf8')).toBe(`serverAddr = "frp.example"
serverPort = 7000
user = "in_reef00000000"
metadatas.token = "own"
auth.method = "token"
auth.token = "sha\\"red"
loginFailExit = false
log.to = "console"
log.disablePrintColor = true

[[proxies]]
name = "web"
type = "http"
localIP = "127.0.0.1"
localPort = 4321
subdomain = "reef"
`)
    expect(await modeOf(path)).toBe(0o600)
    expect(program.arguments).toEqual(['-c', path])
  })

  test('of cloudflared is made of the token, which no argument shows', async () => {
    const token = { a: 'account', t: '6ff42ae2-765d-4adf-8112-31c55c1551ef', s: 'c2VjcmV0' }
    const tunnelToken = Buffer.from(JSON.stringify(token)).toString('base64')
    const proxy = { kind: 'cloudflare', tunnelToken, hostname: 'reef.example' } as const
    const program = await prepareCloudflared(proxy, { folder, port: 4321 })
    const credentials = join(folder, 'cloudflared.json')
    expect(JSON.parse(await readFile(credentials, 'utf8'))).toEqual({
      AccountTag: token.a,
      TunnelID: token.t,
      TunnelSecret: token.s,
    })
    expect(await modeOf(credentials)).toBe(0o600)
    const config = await readFile(join(folder, 'cloudflared.yml'), 'utf8')
    expect(config).toContain('hostname: "reef.example"\n    service: http://127.0.0.1:4321')
    expect(program.arguments.join(' ')).not.toMatch(/c2VjcmV0|eyJ/)
  })
})

describe('the program of a tunnel', () => {
  const program = { name: 'burrow', arguments: [], connectedLine: /^up$/, refusedLine: /^refused/ }
  const log = createLog({ write: () => undefined })

  /** The reports up to and with the first that `holds`. */
  async function reportsUntil(path: string, holds: (report: NetworkReport) => boolean): Promise<NetworkReport[]> {
    const reports: NetworkReport[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const report = (state: NetworkReport) => {
      reports.push(state)
      if (holds(state)) resolve()
    }
    const endpoint = runProgram(program, { report, log, path })
    await promise
    await endpoint.close()
    return reports
  }

  test('that is not installed is said to be missing', async () => {
    const [report] = await reportsUntil('/nowhere', () => true)
    expect(report).toEqual({ state: 'missing', reason: 'burrow is not installed on this machine' })
  })

  test('that connects is said to be connected, and ends with the agent', async () => {
    const file = join(folder, 'burrow')
    await writeFile(file, '#!/bin/sh\necho up\nexec sleep 600\n')
    await chmod(file, 0o755)
    const reports = await reportsUntil(folder, ({ state }) => state === 'connected')
    expect(reports.map(({ state }) => state)).toEqual(['connecting', 'connected'])
  })

  test('that ends is said to have failed, with its last words', async () => {
    const file = join(folder, 'burrow')
    await writeFile(file, '#!/bin/sh\necho refused: no such tunnel >&2\nexit 1\n')
    await chmod(file, 0o755)
    const reports = await reportsUntil(folder, ({ reason }) => reason?.startsWith('burrow ended') === true)
    expect(reports.at(-1)).toEqual({ state: 'failed', reason: 'burrow ended: refused: no such tunnel' })
  })
})
