/** Distinguishes a request of this machine from one that a proxy on this machine passes on for a stranger. */
import { BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Headers that proxies and content networks add, as Node gives their names: in lower case. */
const proxyHeader = /^(via|forwarded|x-(forwarded|original|envoy)-.+|x-real-ip|.+-(client|connecting)-ip)$/

/** Whether a host name or an address, in brackets or not, is this machine's own. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  const plain = host.replace(/^\[|\]$/g, '').replace(/^::ffff:/, '')
  return loopback.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4')
}

/** Whether a header says that a proxy passed it on. A plain proxy adds none. */
export function isForwarded(request: FastifyRequest): boolean {
  return Object.keys(request.headers).some((name) => proxyHeader.test(name))
}
