/** Single files of backups over HTTP (contract, `personal-server.ts`). */
import { BackupUnlock, PutBackOrder, SnapshotRefShape } from '@atoll/contract/personal-server-backups'
import type { BackupFiles } from '../backup/browse/backup-files.ts'
import type { SnapshotRef } from '../backup/browse/snapshot-path.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { contentDisposition } from './content-disposition.ts'
import { type Exchange, getQuery, readBody, readOffset, sendJson, sendNothing } from './exchange.ts'
import type { RouteTable } from './router.ts'

/** Longest text to narrow a folder by, characters. */
const maxFilter = 256

export function backupRoutes(files: BackupFiles): RouteTable {
  return {
    'GET /api/backups': async ({ res }) => sendJson(res, 200, await files.list()),
    'GET /api/backups/list': async ({ res, url }) => {
      const page = {
        offset: readOffset(url),
        filter: (url.searchParams.get('filter') ?? '').trim().slice(0, maxFilter),
      }
      sendJson(res, 200, await files.listFolder(readRef(url), getQuery(url, 'path'), page))
    },
    'GET /api/backups/file': (exchange) => download(files, exchange),
    'POST /api/backups/put-back': async ({ req, res }) => {
      sendJson(res, 202, await files.putBack(await readBody(req, PutBackOrder)))
    },
    'GET /api/backups/put-back': ({ res, url }) => sendJson(res, 200, files.showPutBack(getQuery(url, 'id'))),
    'POST /api/backups/password': async ({ req, res }) => {
      const { backupId, password } = await readBody(req, BackupUnlock)
      await files.unlock(backupId, password)
      sendNothing(res)
    },
  }
}

async function download(files: BackupFiles, { req, res, url }: Exchange): Promise<void> {
  const { name, size, send } = await files.open(readRef(url), getQuery(url, 'path'))
  const gone = new AbortController()
  res.once('close', () => gone.abort(new Error('the visitor went away')))
  res.setHeader('content-type', size === undefined ? 'application/zip' : 'application/octet-stream')
  res.setHeader('content-disposition', contentDisposition('attachment', name))
  res.setHeader('cache-control', 'private, no-store')
  if (size !== undefined) res.setHeader('content-length', size)
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  try {
    await send(res, gone.signal)
  } catch (error) {
    // Its length was that of the file.
    if (!res.headersSent) res.removeHeader('content-length')
    throw error
  }
  res.end()
}

function readRef(url: URL): SnapshotRef {
  const ref = SnapshotRefShape.safeParse({ backupId: getQuery(url, 'backup'), snapshotId: getQuery(url, 'snapshot') })
  if (!ref.success)
    throw new HttpProblem(400, 'badParameter', 'backup, snapshot: must be ids of a backup and a snapshot')
  return ref.data
}
