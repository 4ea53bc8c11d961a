/**
 * The image of a release with runc, as an engine runs it by compose.yaml: another user than root, a read-only root and
 * no capability. A cluster is ordered, activated and given a file; then another version takes the container's place.
 * Without namespaces of their own for network and cgroups, which a container inside a container may not make.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusterActivation } from '@atoll/contract/clusters'
import { ActivationBegun } from '@atoll/contract/personal-server'
import { findFreePorts, startPostgresServer, until } from '@atoll/testkit'
import { z } from 'zod'
import { createRunningCluster, waitForStatus } from '../acceptance/stack/clusters.ts'
import { visit } from '../acceptance/stack/lxd-cloud.ts'
import { createPerson } from '../acceptance/stack/people.ts'
import { installDebianPackages } from '../scripts/programs/debian-packages.ts'

const Described = z.object({ digest: z.string() })
const Index = z.object({ manifests: z.array(Described).length(1) })
const Manifest = z.object({ config: Described, layers: z.array(Described) })
const Config = z.object({
  config: z.object({ User: z.string(), Env: z.array(z.string()), Entrypoint: z.array(z.string()) }),
})

interface Image {
  root: string
  user: number
  environment: string[]
  entrypoint: string[]
}

/** Unpacks the image of `file` into `folder`. */
function unpack(file: string, folder: string): Image {
  const root = join(folder, 'rootfs')
  mkdirSync(root, { recursive: true })
  execFileSync('tar', ['-xf', file, '-C', folder])
  const read = <T extends z.ZodType>(shape: T, path: string): z.output<T> =>
    shape.parse(JSON.parse(readFileSync(join(folder, path), 'utf8')))
  const blob = ({ digest }: { digest: string }) => join('blobs', digest.replace(':', '/'))
  const [described] = read(Index, 'index.json').manifests
  assert.ok(described)
  const manifest = read(Manifest, blob(described))
  for (const layer of manifest.layers) execFileSync('tar', ['-xzf', join(folder, blob(layer)), '-C', root])
  const { config } = read(Config, blob(manifest.config))
  return { root, user: Number(config.User.split(':')[0]), environment: config.Env, entrypoint: config.Entrypoint }
}

interface Container {
  name: string
  folder: string
  image: Image
  args: string[]
  environment: Readonly<Record<string, string>>
  /** Of this machine, by their places inside. */
  binds: Readonly<Record<string, string>>
}

function startContainer({ name, folder, image, args, environment, binds }: Container): ChildProcess {
  const user = { uid: image.user, gid: image.user }
  const bind = (destination: string, source: string) => ({
    destination,
    source,
    type: 'bind',
    options: ['rbind', 'rw', 'nosuid', 'nodev'],
  })
  const spec = {
    ociVersion: '1.0.2',
    process: {
      user,
      args: [...image.entrypoint, ...args],
      env: [...image.environment, ...Object.entries(environment).map(([key, value]) => `${key}=${value}`)],
      cwd: '/var/lib/atoll',
      capabilities: { bounding: [], effective: [], permitted: [] },
      noNewPrivileges: true,
    },
    root: { path: image.root, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'strictatime', 'mode=755'] },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777', 'size=64m'] },
      ...Object.entries(binds).map(([destination, source]) => bind(destination, source)),
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.json'), JSON.stringify(spec))
  return spawn('runc', ['run', '--bundle', folder, name], { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Proves the image in `file`; gives what it took. */
export async function proveImage(file: string, folder: string, version: string): Promise<string> {
  await installDebianPackages(['runc'])
  const postgres = await startPostgresServer()
  const image = unpack(file, join(folder, 'oci'))
  const data = join(folder, 'oci/data')
  mkdirSync(data)
  chownSync(data, image.user, image.user)
  chmodSync(data, 0o750)
  const [api = 0, wallet = 0, edge = 0, vault = 0] = await findFreePorts(4)
  const database = new URL(postgres.url('postgres'))
  const sockets = database.searchParams.get('host') ?? ''
  database.searchParams.set('host', '/run/postgresql')
  // Its folder is closed to others; what it holds of data is in one that stays so.
  chmodSync(sockets, 0o711)
  mkdirSync(join(image.root, 'run/postgresql'), { recursive: true })
  const environment = {
    DATABASE_URL: database.href,
    ATOLL_SECRET_KEY: 'a key of a test that nothing else uses',
    ATOLL_PORT: String(api),
    ATOLL_WALLET_PORT: String(wallet),
    ATOLL_EDGE_PORT: String(edge),
    ATOLL_VAULT_PORT: String(vault),
    ATOLL_PUBLIC_URL: `http://localhost:${api}`,
    ATOLL_CONTROL_URL: `http://127.0.0.1:${api}`,
    ATOLL_CATALOG: '/opt/atoll/catalog.yaml',
    ATOLL_ALLOW: 'process',
  }
  const running = new Set<string>()
  const start = (name: string, of: Image, ...args: string[]) => {
    const unique = `atoll-proof-${process.pid}-${name}`
    const binds = { '/var/lib/atoll': data, '/run/postgresql': sockets }
    const child = startContainer({
      name: unique,
      folder: join(folder, `oci-${name}`),
      image: of,
      args,
      environment,
      binds,
    })
    running.add(unique)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()))
    const ended = once(child, 'exit').finally(() => running.delete(unique))
    return { ended, said: () => said.slice(-4000), stop: () => execFileSync('runc', ['kill', unique, 'TERM']) }
  }
  const ready = async (container: ReturnType<typeof start>, of: string) => {
    const began = performance.now()
    await until(
      'the container is ready',
      async () => {
        const answer = await fetch(`http://127.0.0.1:${api}/readyz`).catch(() => undefined)
        return answer?.ok === true
      },
      { timeoutMs: 120_000, onTimeout: container.said },
    )
    const health = z
      .object({ version: z.string() })
      .parse(await (await fetch(`http://127.0.0.1:${api}/healthz`)).json())
    assert.equal(health.version, of)
    return Math.round(performance.now() - began)
  }
  try {
    const migrated = start('migrate', image, 'migrate')
    assert.equal((await migrated.ended)[0], 0, migrated.said())
    const first = start('first', image)
    const firstMs = await ready(first, version)
    const person = await createPerson(`http://localhost:${api}`)
    const { clusterId, url = '' } = await createRunningCluster(person.api)
    const ask = (method: string, path: string, body?: object, cookie?: string) =>
      visit({ ports: { edge } }, url ?? '', { method, path, ...(body && { body }), ...(cookie && { cookie }) })
    const { password } = await person.api.ask(clusterActivation, { clusterId })
    const begun = ActivationBegun.parse((await ask('POST', '/api/activation/begin', { password })).json)
    await ask('POST', '/api/activation/approve', person.wallet.approval(person.wallet.read(begun.signRequest)))
    const finished = await ask('POST', '/api/activation/finish', {
      ticket: begun.ticket,
      newPassword: 'coral and sand',
    })
    assert.equal(finished.status, 200)
    await waitForStatus(person.api, clusterId, ['running'])
    const content = { kept: 'over the change of versions' }
    const kept = await ask('PUT', '/api/drive/file?path=%2Fnote.json', content, finished.cookie)
    assert.ok(kept.status < 300, kept.text)

    first.stop()
    assert.equal((await first.ended)[0], 0, first.said())
    const next = { ...image, root: join(folder, 'oci/next') }
    cpSync(image.root, next.root, { recursive: true, verbatimSymlinks: true })
    const identity = join(next.root, 'opt/atoll/package.json')
    writeFileSync(identity, readFileSync(identity, 'utf8').replace(`"${version}"`, `"${version}-next"`))
    const second = start('second', next)
    const secondMs = await ready(second, `${version}-next`)
    await waitForStatus(person.api, clusterId, ['running'])
    const read = await until('its agent serves again', async () => {
      const answer = await ask('GET', '/api/drive/file?path=%2Fnote.json', undefined, finished.cookie)
      return answer.status === 200 ? answer.text : undefined
    })
    assert.deepEqual(JSON.parse(read), content)
    second.stop()
    assert.equal((await second.ended)[0], 0, second.said())
    return `ready after ${firstMs} ms, the next version after ${secondMs} ms`
  } finally {
    for (const name of running) execFileSync('runc', ['delete', '--force', name])
    await postgres.stop()
  }
}
