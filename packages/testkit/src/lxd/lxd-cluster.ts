/**
 * Three LXD daemons as one cluster, each in a network namespace of its own like a machine of its own. They and their
 * containers are on one bridge of this machine with addresses of one subnet, so a test reaches all of them.
 */
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { type LxdDaemon, lxdCommand, startLxdDaemon } from './lxd-daemon.ts'
import { type LxdRun, openLxdRun } from './lxd-run.ts'
import { buildGuestImage } from './lxd-server.ts'

/** LXD's smallest, s: a member that has been silent for longer is offline. */
const offlineThreshold = 11
const lxdPort = 8443

export interface LxdCluster extends AsyncDisposable {
  /** `n1`, `n2`, `n3`; n1 was first. */
  members: LxdDaemon[]
  /** Everything of this run is in it; removed by `dispose`. */
  folder: string
  /** Address of each member's API, in their order. */
  endpoints: string[]
  /** PEM files: a client that the cluster trusts, and the cluster's own certificate. */
  clientCert: string
  clientKey: string
  serverCert: string
  /** Bridge that every member has. */
  bridge: string
  /** This machine's address among the containers. */
  hostAddress: string
  /** Cuts a member off from everybody, or lets it in again. */
  setLink(member: string, state: 'up' | 'down'): void
  dispose(): Promise<void>
}

export async function startLxdCluster(): Promise<LxdCluster> {
  buildGuestImage()
  const run = await openLxdRun()
  try {
    return await form(run)
  } catch (error) {
    await run.remove()
    throw error
  }
}

async function form(run: LxdRun): Promise<LxdCluster> {
  const { tag, subnet, folder } = run
  const hostBridge = `${tag}br`
  const bridge = 'br0'
  const hostAddress = `${subnet}.1`
  ip('link', 'add', hostBridge, 'type', 'bridge')
  ip('address', 'add', `${hostAddress}/24`, 'dev', hostBridge)
  ip('link', 'set', hostBridge, 'up')
  serveAddresses(run, hostBridge)

  const names = ['n1', 'n2', 'n3']
  const addressOf = (name: string) => `${subnet}.1${name.slice(1)}`
  const members: LxdDaemon[] = []
  for (const name of names) {
    makeNamespace(run, { name, hostBridge, bridge, address: addressOf(name) })
    members.push(await startLxdDaemon(run, name, () => commandIn(run, name)))
  }
  const [first] = members
  if (!first) throw new Error('a cluster has a first member')
  const nic = { name: 'eth0', type: 'nic', nictype: 'bridged', parent: bridge }
  preseed(first, {
    config: { 'core.https_address': `${addressOf('n1')}:${lxdPort}` },
    storage_pools: [{ name: 'default', driver: 'dir' }],
    profiles: [{ name: 'default', devices: { root: { path: '/', pool: 'default', type: 'disk' }, eth0: nic } }],
    cluster: { server_name: 'n1', enabled: true },
  })
  for (const member of members.slice(1)) {
    const token = first.run('lxc', ['cluster', 'add', member.name]).trim().split('\n').at(-1)
    preseed(member, {
      cluster: {
        enabled: true,
        server_name: member.name,
        server_address: `${addressOf(member.name)}:${lxdPort}`,
        cluster_token: token,
        member_config: [{ entity: 'storage-pool', name: 'default', key: 'source', value: '' }],
      },
    })
  }
  // In the preseed it would end the connection: the daemon is not a member yet.
  first.run('lxc', ['config', 'set', `cluster.offline_threshold=${offlineThreshold}`])

  const serverCert = join(folder, 'n1', 'cluster.crt')
  const { clientCert, clientKey } = makeClient(folder)
  first.run('lxc', ['config', 'trust', 'add', clientCert, '--name', 'atoll'])
  return {
    members,
    folder,
    endpoints: names.map((name) => `https://${addressOf(name)}:${lxdPort}`),
    clientCert,
    clientKey,
    serverCert,
    bridge,
    hostAddress,
    setLink: (member, state) => ip('link', 'set', `${tag}${member}`, state),
    dispose: run.remove,
    [Symbol.asyncDispose]: run.remove,
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Leases for the containers of all members. */
function serveAddresses({ folder, subnet }: LxdRun, hostBridge: string): void {
  const child = spawn(
    'dnsmasq',
    [
      '--conf-file=/dev/null',
      '--no-daemon',
      '--no-hosts',
      '--no-resolv',
      '--port=0',
      '--bind-interfaces',
      `--interface=${hostBridge}`,
      '--except-interface=lo',
      `--dhcp-range=${subnet}.100,${subnet}.199,255.255.255.0,1h`,
      '--dhcp-rapid-commit',
      '--dhcp-authoritative',
      '--no-ping',
      `--dhcp-leasefile=${join(folder, 'leases')}`,
    ],
    { detached: true, stdio: 'ignore', env: { ...process.env, PATH: `/usr/sbin:/sbin:${process.env['PATH']}` } },
  )
  child.unref()
}

function makeNamespace(
  { tag }: LxdRun,
  { name, hostBridge, bridge, address }: { name: string; hostBridge: string; bridge: string; address: string },
): void {
  const namespace = `${tag}${name}`
  const gateway = address.replace(/\.\d+$/, '.1')
  ip('netns', 'add', namespace)
  ip('link', 'add', namespace, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  ip('link', 'set', namespace, 'master', hostBridge, 'up')
  ip('-n', namespace, 'link', 'set', 'lo', 'up')
  ip('-n', namespace, 'link', 'add', bridge, 'type', 'bridge')
  ip('-n', namespace, 'link', 'set', 'eth0', 'master', bridge, 'up')
  ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', bridge)
  ip('-n', namespace, 'link', 'set', bridge, 'up')
  ip('-n', namespace, 'route', 'add', 'default', 'via', gateway)
}

/**
 * `ip netns exec` would hide /sys/fs/cgroup. Instead: a mount namespace with the sysfs of the new network, and the
 * cgroups bound back into it.
 */
function commandIn({ tag, folder }: LxdRun, name: string): string[] {
  const cgroups = join(folder, `${name}-cgroups`)
  const script = [
    `mkdir -p ${cgroups}`,
    `mount --rbind /sys/fs/cgroup ${cgroups}`,
    'mount -t sysfs sysfs /sys',
    `mount --rbind ${cgroups} /sys/fs/cgroup`,
    `exec ${lxdCommand.join(' ')}`,
  ].join(' && ')
  const isolated = ['unshare', '--mount', '--propagation', 'private', '--', 'bash', '-c', script]
  return ['nsenter', `--net=/run/netns/${tag}${name}`, '--', ...isolated]
}

function preseed(daemon: LxdDaemon, config: object): void {
  daemon.run('lxd', ['init', '--preseed'], JSON.stringify(config))
}

/** A certificate as an operator makes one for the control plane. */
function makeClient(folder: string): { clientCert: string; clientKey: string } {
  const clientCert = join(folder, 'client.crt')
  const clientKey = join(folder, 'client.key')
  const parameters = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp384r1', '-sha384', '-subj', '/CN=atoll']
  execFileSync(
    'openssl',
    ['req', '-x509', '-nodes', '-days', '30', ...parameters, '-keyout', clientKey, '-out', clientCert],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  return { clientCert, clientKey }
}
