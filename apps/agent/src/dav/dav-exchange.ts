/** A request of WebDAV, and what its methods share. */
import type { Drive } from '../drive/drive.ts'
import type { Looked } from '../drive/drive-entry.ts'
import type { DriveLocks } from '../drive/drive-locks.ts'
import { type Exchange, readText } from '../http/exchange.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { multistatus } from './dav-properties.ts'
import { parseXml, type XmlElement } from './dav-xml.ts'
import type { DeadProperties } from './dead-properties.ts'
import type { IfHeader } from './if-header.ts'

export interface Dav {
  drive: Drive
  locks: DriveLocks
  dead: DeadProperties
}

/** A request, and what of it most methods need. */
export interface DavExchange extends Exchange {
  path: string
  condition: IfHeader | undefined
  /** The app password that opened it, by its id. */
  holder: string
  /** Lock tokens that the request shows. */
  tokens: readonly string[]
}

/** The file or folder at `path`; undefined: there is none. */
export async function find(drive: Drive, path: string): Promise<Looked | undefined> {
  return await drive.look(path).catch((error: unknown) => {
    if (error instanceof HttpProblem && error.code === 'notFound') return undefined
    throw error
  })
}

/** Makes 409 of the 404 of a missing folder, as WebDAV has it for what is put into one (9.3.1, 9.7.1, 9.8.5). */
export async function inFolder<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    if (error instanceof HttpProblem && error.status === 404) throw new HttpProblem(409, error.code, error.message)
    throw error
  })
}

export async function readXml(req: Exchange['req']): Promise<XmlElement | undefined> {
  const text = await readText(req)
  return text.trim() === '' ? undefined : parseXml(text)
}

export function sendMultistatus(res: Exchange['res']): void {
  res.writeHead(207, { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'no-store' })
  res.write(multistatus.begin)
}
