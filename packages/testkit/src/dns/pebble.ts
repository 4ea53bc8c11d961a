/** A certification authority of others, Pebble, that believes a name server of the test's choice. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findFreePorts } from '../free-ports.ts'
import { until } from '../until.ts'
import { dnsProgram } from './dns-programs.ts'

export interface Pebble extends AsyncDisposable {
  /** Address of the directory. */
  directory: string
  /** PEM file of the root that the directory itself is trusted by. */
  caFile: string
  /** The root (PEM) of what it issues. */
  root(): Promise<string>
  /** Ends it as a power cut does; it forgets everything. */
  kill(): Promise<void>
  /** Starts it again at the same address. */
  start(): Promise<void>
}

/**
 * `dnsServer` (`127.0.0.1:5353`) is asked for every name, `httpPort` for challenges over HTTP. One nonce in twenty is
 * refused, as is its way.
 */
export async function startPebble({ dnsServer, httpPort }: { dnsServer: string; httpPort: number }): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-pebble-'))
  const [port = 0, management = 0, tlsPort = 0] = await findFreePorts(3)
  const [caFile, keyFile] = [join(folder, 'own.pem'), join(folder, 'own.key')]
  const subject = ['-subj', '/CN=pebble', '-addext', 'subjectAltName=IP:127.0.0.1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', keyFile, '-out', caFile, ...subject], {
    stdio: 'ignore',
  })
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: caFile,
    privateKey: keyFile,
    httpPort,
    tlsPort,
    externalAccountBindingRequired: false,
  }
  writeFileSync(join(folder, 'pebble.json'), JSON.stringify({ pebble }))
  const said: string[] = []
  let child: ChildProcess | undefined

  const read = (url: string) =>
    new Promise<string>((resolve, reject) => {
      get(url, { ca: readFileSync(caFile), agent: false }, (answer) => text(answer).then(resolve, reject)).once(
        'error',
        reject,
      )
    })

  async function start(): Promise<void> {
    const { path, env } = dnsProgram('pebble')
    const args = ['-config', join(folder, 'pebble.json'), '-dnsserver', dnsServer, '-strict']
    child = spawn(path, args, {
      // It would wait up to 15 s before each check.
      env: { ...process.env, ...env, PEBBLE_VA_NOSLEEP: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(String(chunk)))
    const isThere = () =>
      read(`https://127.0.0.1:${port}/dir`).then(
        () => true,
        () => false,
      )
    await until('Pebble answers', isThere, { onTimeout: () => said.slice(-20).join('') })
  }
  async function kill(): Promise<void> {
    const running = child
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()))
    running.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    caFile,
    root: () => read(`https://127.0.0.1:${management}/roots/0`),
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
