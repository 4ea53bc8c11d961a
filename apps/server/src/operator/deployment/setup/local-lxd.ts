/**
 * The LXD of this machine, made ready for this deployment as root: two networks, a project, and a certificate that may
 * do nothing outside it. Each step is one request that makes the whole thing or nothing, and may be repeated; what is
 * there already stays as it is.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { promisify } from 'node:util'
import { z } from 'zod'
import { OperatorError } from '../../../platform/operator-error.ts'

/** Runs LXD's client, and gives what it prints. */
export type Lxc = (...args: string[]) => Promise<string>

export interface LocalLxd {
  /** Where instances are that may not send mail, and where those are that may. */
  network: string
  mailNetwork: string | undefined
  /** This machine's address in `network`, IPv4. */
  address: string
  /** Where LXD answers over HTTPS. */
  endpoint: string
  project: string
  deployment: string
  files: Readonly<Record<'clientCert' | 'clientKey' | 'serverCert', string>>
  write(path: string, text: string): void
}

export const localEndpoint = 'https://127.0.0.1:8443'
/** Programs hand mail in on 465 or 587. */
const noMail = { action: 'reject', protocol: 'tcp', destination_port: '25', state: 'enabled' }
/** LXD keeps the instances of one network apart, but forwards from one network to another. */
const noneOf = (destination: string) => ({ action: 'reject', destination, state: 'enabled' })

const Server = z.object({
  config: z.object({ 'core.https_address': z.string().optional() }),
  environment: z.object({ certificate: z.string(), server_clustered: z.boolean() }),
})
const Certificates = z.array(z.object({ certificate: z.string() }))

/** Throws in words where this LXD cannot be made ready. Changes nothing. */
export async function checkLocalLxd(
  lxc: Lxc,
  { address, endpoint }: Pick<LocalLxd, 'address' | 'endpoint'>,
): Promise<z.output<typeof Server>> {
  if (!isIPv4(address)) throw new OperatorError(`--control-address: ${address} is no address of IPv4.`)
  const server = Server.parse(JSON.parse(await lxc('query', '/1.0')))
  if (server.environment.server_clustered)
    throw new OperatorError(
      'This LXD is a cluster, which docs/operator/lxd.md shows how to prepare: name it as https://…',
    )
  const { host } = new URL(endpoint)
  const listens = server.config['core.https_address'] ?? ''
  if (!['', host, ':8443', '[::]:8443', '0.0.0.0:8443'].includes(listens))
    throw new OperatorError(`LXD listens on ${listens} (core.https_address), not on ${host}: name it as https://…`)
  return server
}

export async function prepareLocalLxd(lxc: Lxc, place: LocalLxd): Promise<void> {
  const { network, mailNetwork, project, deployment, files } = place
  const server = await checkLocalLxd(lxc, place)
  const ask = async <T extends z.ZodType>(path: string, shape: T) => shape.parse(JSON.parse(await lxc('query', path)))
  if (!server.config['core.https_address'])
    await lxc('config', 'set', `core.https_address=${new URL(place.endpoint).host}`)

  const make = async (path: string, body: { name: string; [key: string]: unknown }) => {
    const names = await ask(path, z.array(z.string()))
    if (names.some((one) => one.split('/').at(-1) === body.name)) return
    await lxc('query', '--request', 'POST', '--wait', '--data', JSON.stringify(body), path)
  }
  const bridge = (name: string, address: string, config: Record<string, string> = {}) => ({
    name,
    type: 'bridge',
    config: { 'ipv4.address': address, 'ipv4.nat': 'true', 'ipv6.address': 'none', ...config },
  })
  const guarded = async (acl: { name: string; egress: object[] }) => {
    await make('/1.0/network-acls', acl)
    return {
      'security.acls': acl.name,
      'security.acls.default.egress.action': 'allow',
      'security.acls.default.ingress.action': 'allow',
    }
  }
  const mailAddress = besideOf(place.address)
  const closed = { name: 'atoll-no-mail', egress: [noMail, noneOf(networkOf(mailAddress))] }
  await make('/1.0/networks', bridge(network, `${place.address}/24`, await guarded(closed)))
  if (mailNetwork !== undefined) {
    const open = { name: 'atoll-mail', egress: [noneOf(othersThan(place.address))] }
    await make('/1.0/networks', bridge(mailNetwork, `${mailAddress}/24`, await guarded(open)))
  }
  const config = {
    'user.atoll.deployment': deployment,
    'features.images': 'true',
    'features.profiles': 'true',
    'features.storage.volumes': 'true',
    restricted: 'true',
    'restricted.cluster.target': 'allow',
    'restricted.networks.access': [network, ...(mailNetwork === undefined ? [] : [mailNetwork])].join(),
  }
  await make('/1.0/projects', { name: project, config })

  if (!existsSync(files.clientKey) || !existsSync(files.clientCert)) await makeCertificate(place)
  place.write(files.serverCert, server.environment.certificate)
  const trusted = await ask('/1.0/certificates?recursion=1', Certificates)
  const own = readFileSync(files.clientCert, 'utf8').trim()
  if (!trusted.some(({ certificate }) => certificate.trim() === own))
    await lxc('config', 'trust', 'add', files.clientCert, '--name', project, '--restricted', '--projects', project)
}

/** An address in the /24 after that of `address`. */
function besideOf(address: string): string {
  const [first, second, third, last] = address.split('.').map(Number)
  return [first, second, ((third ?? 0) + 1) % 256, last].join('.')
}

/** The /24 of an address. */
function networkOf(address: string): string {
  return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
}

/** All addresses of its /24 but one, which is this machine's, as ranges. */
function othersThan(address: string): string {
  const end = address.lastIndexOf('.') + 1
  const [first, own] = [address.slice(0, end), Number(address.slice(end))]
  const ranges = [
    [1, own - 1],
    [own + 1, 254],
  ]
  return ranges
    .filter(([from = 0, to = 0]) => from <= to)
    .map((range) => range.map((last) => first + last).join('-'))
    .join()
}

async function makeCertificate({ files, write }: LocalLxd): Promise<void> {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp384r1', '-sha384', '-nodes', '-days', '3650']
  const { stdout } = await promisify(execFile)('openssl', [
    'req',
    '-x509',
    ...kind,
    '-subj',
    '/CN=atoll',
    '-keyout',
    '-',
  ])
  const part = (name: string) =>
    new RegExp(`-----BEGIN ${name}-----[\\s\\S]+?-----END ${name}-----\\n`).exec(stdout)?.[0]
  const [key, certificate] = [part('PRIVATE KEY'), part('CERTIFICATE')]
  if (key === undefined || certificate === undefined) throw new Error('openssl printed no key and certificate')
  write(files.clientKey, key)
  write(files.clientCert, certificate)
}
