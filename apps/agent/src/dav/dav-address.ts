/** Addresses of WebDAV and paths of the drive. */
import { HttpProblem } from '../kernel/problem.ts'

export const davRoot = '/dav'

export function isDavAddress(pathname: string): boolean {
  return pathname === davRoot || pathname.startsWith(`${davRoot}/`)
}

/** The path of the drive that `pathname` is of; 400 badName. */
export function pathOfAddress(pathname: string): string {
  const names = pathname.slice(davRoot.length).split('/').map(decodeName)
  return `/${names.slice(1).join('/')}`
}

function decodeName(written: string): string {
  try {
    const name = decodeURIComponent(written)
    if (!name.includes('/')) return name
  } catch {
    // not UTF-8: the same answer
  }
  throw new HttpProblem(400, 'badName', 'The address is not that of a file.')
}

/** The path that the `Destination` header names; 502 for one of another server (RFC 4918, 9.8.5). */
export function readDestination(header: string | string[] | undefined, host: string | undefined): string {
  const written = String(header ?? '')
  if (written.length > 16_384 || !URL.canParse(written, `http://${host ?? 'server'}`))
    throw new HttpProblem(400, 'badParameter', 'destination: must be an address here')
  const url = new URL(written, `http://${host ?? 'server'}`)
  if (
    !/^https?:$/.test(url.protocol) ||
    (host !== undefined && url.host !== new URL(`${url.protocol}//${host}`).host) ||
    !isDavAddress(url.pathname)
  )
    throw new HttpProblem(502, 'badParameter', 'destination: is not on this server')
  return pathOfAddress(url.pathname)
}

export function addressOf(path: string, isFolder: boolean): string {
  const names = path.split('/').filter(Boolean)
  const address = [davRoot, ...names.map((name) => encodeURIComponent(name.toWellFormed()))].join('/')
  return isFolder ? `${address}/` : address
}
