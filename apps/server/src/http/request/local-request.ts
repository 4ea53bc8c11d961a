/** Distinguishes a request of this machine from one that a proxy on this machine passes on for a stranger. */
import type { FastifyRequest } from 'fastify'

/** Headers that proxies and content networks add, as Node gives their names: in lower case. */
const proxyHeader = /^(via|forwarded|x-(forwarded|original|envoy)-.+|x-real-ip|.+-(client|connecting)-ip)$/

/** Whether a header says that a proxy passed it on. A plain proxy adds none. */
export function isForwarded(request: FastifyRequest): boolean {
  return Object.keys(request.headers).some((name) => proxyHeader.test(name))
}
