/**
 * Credentials for personal servers that store backups themselves (design/backups, "S3 and clients that exist"). Every
 * account has one prefix for each of its servers. Only the hash of a grant is stored. A caller that presents the three
 * texts of a grant that ended less than 24 h ago receives the next one without a token. The service is called during
 * the request, because its answer is the answer of the call; no transaction is open meanwhile.
 */
import {
  grantRenewableMs,
  type StoreGrant,
  type stsTokenBackup,
  type stsTokenBackupRefresh,
} from '@atoll/contract/backups'
import type { CallBody } from '@atoll/contract/wire'
import { sql } from 'kysely'
import type { Caller } from '../../../platform/caller.ts'
import { randomToken, sha256Hex } from '../../../platform/crypto.ts'
import type { Log } from '../../../platform/log.ts'
import { refuse } from '../../../platform/refusal.ts'
import { recordAudit } from '../../audit/index.ts'
import type { ClientDeps } from './client-deps.ts'
import { type CloudStore, CloudStoreError, type StoreCredentials } from './cloud-store.ts'
import './client-tables.ts'

/** Servers of one account that may have a prefix. */
const mostPrefixes = 100

export function listRegions({ cloudStore }: ClientDeps) {
  if (!cloudStore) return []
  const { region, cloud } = cloudStore
  return [{ regionId: region, regionName: region, cloudName: cloud }]
}

export async function grantStore(
  deps: ClientDeps,
  caller: Caller,
  { cloudName, region, clusterId, durationSeconds }: CallBody<typeof stsTokenBackup>,
  log: Log,
): Promise<StoreGrant> {
  const store = deps.cloudStore ?? refuse('cloudStoreMissing')
  if (cloudName.toLowerCase() !== store.cloud || region !== store.region) {
    refuse('cloudStoreElsewhere', { cloud: cloudName, region })
  }
  const prefix = await ensurePrefix(deps, caller, readServerRef(clusterId))
  return await give(deps, store, { prefix, owner: caller.userid, seconds: durationSeconds }, log)
}

export async function renewGrant(
  deps: ClientDeps,
  { ak, sk, st, durationSeconds }: CallBody<typeof stsTokenBackupRefresh>,
  log: Log,
): Promise<StoreGrant> {
  const store = deps.cloudStore ?? refuse('cloudStoreMissing')
  const now = deps.clock.now()
  const given = await deps.db
    .selectFrom('sts_grants')
    .innerJoin('client_prefixes', 'client_prefixes.prefix', 'sts_grants.prefix')
    .select(['client_prefixes.prefix', 'client_prefixes.owner'])
    // A hash does not reveal how near a guess was.
    .where('hash', '=', hashOf({ accessKeyId: ak, secretAccessKey: sk, sessionToken: st }))
    .where('expires_at', '>', new Date(now.getTime() - grantRenewableMs))
    // The objects of an ended account are deleted until its last grant is over.
    .where('client_prefixes.ended_at', 'is', null)
    .executeTakeFirst()
  if (!given) return refuse('cloudGrantUnknown')
  return await give(deps, store, { ...given, seconds: durationSeconds }, log)
}

async function give(
  deps: ClientDeps,
  store: CloudStore,
  { prefix, owner, seconds }: { prefix: string; owner: string; seconds: number },
  log: Log,
): Promise<StoreGrant> {
  const { most, used } = await deps.storeRoom(deps.db, owner)
  const { stored } = await deps.db
    .selectFrom('client_prefixes')
    .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('stored'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  if (most !== null && used + stored >= most) refuse('cloudStoreFull')
  const credentials = await store.grant({ prefix, seconds }).catch((error: unknown) => {
    if (!(error instanceof CloudStoreError)) throw error
    log.warn({ err: error }, 'the cloud gave no credentials for backups')
    return refuse('cloudStoreMissing')
  })
  await deps.db
    .insertInto('sts_grants')
    .values({
      hash: hashOf(credentials),
      prefix,
      expires_at: credentials.expiresAt,
      created_at: deps.clock.now(),
    })
    .execute()
  return {
    cloud: store.cloud,
    bucket: store.bucket,
    prefix,
    region: store.region,
    ak: credentials.accessKeyId,
    sk: credentials.secretAccessKey,
    st: credentials.sessionToken,
    expiration: String(credentials.expiresAt.getTime()),
    restic_repo: `s3:${store.url}/${store.bucket}/${prefix}/restic`,
  }
}

/** The program's name for its server, from base64; as sent if it is not base64. */
function readServerRef(encoded: string): string {
  return Buffer.from(encoded.replaceAll(' ', '+'), 'base64').toString('utf8').slice(0, 200) || encoded
}

/** `HASH-SUFFIX`: one hyphen, for programs take what follows it as the suffix. */
async function ensurePrefix(deps: ClientDeps, caller: Caller, serverRef: string): Promise<string> {
  const { userid: owner } = caller
  return await deps.db.transaction().execute(async (trx) => {
    await deps.lockAccount(trx, owner)
    const all = await trx.selectFrom('client_prefixes').selectAll().where('owner', '=', owner).execute()
    const known = all.find(({ server_ref }) => server_ref === serverRef)
    if (known) return known.prefix
    if (all.length >= mostPrefixes) refuse('clientBackupsTooMany', { most: mostPrefixes })
    const suffix = randomToken(12).replaceAll(/[-_]/g, '0').toLowerCase()
    const prefix = `${sha256Hex(owner).slice(0, 24)}-${suffix}`
    const row = { prefix, owner, server_ref: serverRef, created_at: deps.clock.now() }
    await trx.insertInto('client_prefixes').values(row).execute()
    const object = { kind: 'backup', id: prefix, owner, name: prefix } as const
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: 'backup.grant',
      object,
      before: null,
      after: null,
    })
    return prefix
  })
}

function hashOf({ accessKeyId, secretAccessKey, sessionToken }: Omit<StoreCredentials, 'expiresAt'>): string {
  return sha256Hex([accessKeyId, secretAccessKey, sessionToken].join('\n'))
}
