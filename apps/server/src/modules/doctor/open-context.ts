/** The world as it is: what the checks look at on this machine, in the database and on the way out. */
import { resolve4, resolve6, resolveTxt } from 'node:dns/promises'
import { stat, statfs } from 'node:fs/promises'
import { connect } from 'node:tls'
import type { Pool } from 'pg'
import { fetch } from 'undici'
import { readOutsideClock } from '../../platform/careful/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import { type Db, findPooler } from '../../platform/db/index.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import { readOfferedAgent } from '../agents/index.ts'
import { verifyAudit } from '../audit/index.ts'
import { verifyDocuments } from '../billing/index.ts'
import { lookAtLxd, requireBuiltImage } from '../compute/index.ts'
import { askNameServer } from '../dns/index.ts'
import { edgeMarkPath } from '../edge/index.ts'
import { verifyLedger } from '../ledger/index.ts'
import { tryMailServer } from '../mail/index.ts'
import { listHalfDumps, requireRepository } from '../self-backup/index.ts'
import { reasonOf } from './check.ts'
import type { CheckContext } from './context.ts'
import type { DoctorConfig } from './doctor-config.ts'

export interface ContextOptions {
  db: Db
  pool: Pool
  config: DoctorConfig & { smtpCaFile: string | undefined; resticProgram: string | undefined }
}

const answerMs = 10_000
/** Of an answer that is looked into. */
const mostBytes = 64 * 1024

export function openContext({ db, pool, config }: ContextOptions): CheckContext {
  const openSealer = () => checkSameKey(db, requireSecretKeys(config))
  return {
    now: systemClock.now,
    edgeMarkPath,
    async get(url) {
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(answerMs) })
        return { status: answer.status, body: (await answer.text()).slice(0, mostBytes) }
      } catch (error) {
        // undici's own error only says "fetch failed"; its cause says why.
        throw error instanceof Error && error.cause instanceof Error ? error.cause : error
      }
    },
    addressesOf: async (host) => (await Promise.all([orNone(resolve4(host)), orNone(resolve6(host))])).flat(),
    textsOf: async (name) => (await orNone(resolveTxt(name))).map((parts) => parts.join('')),
    certificateEndOf,
    async spaceOf(path) {
      try {
        const { bsize, blocks, bfree, bavail } = await statfs(path)
        // Space that only root may use counts as used.
        return { total: bsize * (blocks - (bfree - bavail)), free: bsize * bavail }
      } catch {
        return undefined // not there, or closed to this user
      }
    },
    async statusOf(path) {
      try {
        const { mode, uid, dev } = await stat(path)
        return { mode, uid, device: dev }
      } catch {
        return undefined // not there, or closed to this user
      }
    },
    outsideTime: readOutsideClock,
    asksNameServer: askNameServer,
    tryMail: () => tryMailServer(config),
    async tryBackupStore() {
      if (config.selfBackup === undefined) throw new Error('There is no store')
      await requireRepository(db, { ...config.selfBackup, program: config.resticProgram })
    },
    async listHalfDumps() {
      if (config.selfBackup === undefined) return []
      const half = await listHalfDumps({ ...config.selfBackup, program: config.resticProgram })
      return half.map(({ time }) => time)
    },
    lookAtLxd,
    tryImage: requireBuiltImage,
    offeredAgent: () => readOfferedAgent(),
    async tryKey() {
      await openSealer()
    },
    findPooler: () => findPooler(pool),
    async verifyAudit() {
      const verdict = await verifyAudit(db, { sealer: await openSealer() })
      if (!verdict.whole) throw new Error(`It breaks at record ${verdict.seq}: ${verdict.problem}`)
      return verdict.records
    },
    async verifyLedger() {
      const verdict = await verifyLedger(db, { sealer: await openSealer() })
      if (!verdict.whole) throw new Error(`It breaks at ${verdict.table} ${verdict.key.join(' ')}: ${verdict.problem}`)
      const bad = await verifyDocuments(db)
      if (bad) throw new Error(`It does not bear out ${bad.table} ${bad.id}: ${bad.problem}`)
      return verdict.transactions
    },
  }
}

/** Names without such records, and names that are not, are the same here. */
async function orNone<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENODATA', 'ENOTFOUND'].includes(String(error.code))) return []
    throw error
  }
}

async function certificateEndOf(host: string, port: number): Promise<Date> {
  const ended = Promise.withResolvers<Date>()
  const socket = connect({ host, port, servername: host, timeout: answerMs })
  socket.once('secureConnect', () => ended.resolve(new Date(socket.getPeerCertificate().valid_to)))
  socket.once('timeout', () => ended.reject(new Error('no answer')))
  socket.once('error', (error) => ended.reject(new Error(reasonOf(error), { cause: error })))
  try {
    return await ended.promise
  } finally {
    socket.destroy()
  }
}
