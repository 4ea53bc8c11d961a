import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db } from '../../../platform/db/index.ts'
import { listFiles } from '../records/file-store.ts'
import type { FileType } from '../vault-tables.ts'

const version1 = 'application/vnd.x.restic.rest.v1'
const version2 = 'application/vnd.x.restic.rest.v2'
/** Rows that are held at a time. */
const pageRows = 1000

/** Answers with the names of all files of a type, and in version 2 their sizes, as JSON; read and sent page by page. */
export async function sendList(
  db: Db,
  req: IncomingMessage,
  res: ServerResponse,
  of: { repositoryId: string; type: FileType },
): Promise<void> {
  const hasSizes = req.headers.accept?.includes(version2) ?? false
  // Read before the answer begins: a database that is away is still reported by a status.
  const first = await listFiles(db, { ...of, after: '', limit: pageRows })
  res.writeHead(200, { 'content-type': hasSizes ? version2 : version1 })
  if (req.method === 'HEAD') return void res.end()
  const toJson = ({ name, bytes }: { name: string; bytes: number }) =>
    JSON.stringify(hasSizes ? { name, size: bytes } : name)
  async function* pages() {
    let rows = first
    yield `[${rows.map(toJson).join(',')}`
    while (rows.length === pageRows) {
      rows = await listFiles(db, { ...of, after: rows.at(-1)?.name ?? '', limit: pageRows })
      if (rows.length > 0) yield `,${rows.map(toJson).join(',')}`
    }
    yield ']'
  }
  await pipeline(Readable.from(pages()), res)
}
