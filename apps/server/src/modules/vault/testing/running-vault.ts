import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ObjectStore } from '@atoll/testkit'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { S3Options } from '../../../platform/drivers/s3/s3-client.ts'
import { silentLog } from '../../../platform/log.ts'
import { createVault, type Vault, type VaultDeps } from '../index.ts'
import type { TlsFiles } from '../listener/vault-tls.ts'
import type { DamagedFile } from '../maintenance/scrub.ts'

/** A vault that listens, on a folder of its own. */
export interface RunningVault {
  vault: Vault
  folder: string
  /** `http://127.0.0.1:PORT` */
  url: string
  /** Files that it reported as damaged. */
  damaged: DamagedFile[]
  /** Stops it and removes its folder. */
  close(): Promise<void>
}

/** The bucket of a test double of S3, as options of a vault. */
export function bucketOf({ url, bucket, accessKeyId, secretAccessKey }: ObjectStore): S3Options {
  return { url, bucket, region: 'us-east-1', accessKeyId, secretAccessKey }
}

/** `quota`: of every account; null: no limit. `bucket`: instead of the folder. `tls`: serves only TLS. */
export async function runVault(
  database: Database,
  {
    clock,
    quota = () => null,
    bucket,
    tls,
    ...more
  }: { clock: Clock; quota?: () => number | null; bucket?: S3Options; tls?: TlsFiles } & Partial<VaultDeps>,
): Promise<RunningVault> {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-vault-'))
  // Another vault of the same test may have files already, whose disk this one's is not.
  await mkdir(join(folder, 'uploads'))
  // Its claim is that of this one, too.
  const { rows } = await database.pool.query<{ claim: object }>(
    `select json_build_object('deployment', d.id, 'number', c.number) as claim from claims c, deployments d where place = 'vault'`,
  )
  if (rows[0]) await writeFile(join(folder, 'atoll-claim.json'), JSON.stringify(rows[0].claim))
  const damaged: DamagedFile[] = []
  const config = { host: '127.0.0.1', vaultUrl: '', vaultDir: folder, vaultBucket: bucket, vaultTls: tls }
  const vault = createVault({
    db: database.db,
    clock,
    log: silentLog,
    config,
    readQuota: async () => quota(),
    strayMs: 7 * 24 * 3600_000,
    onDamaged: async (_, file) => void damaged.push(file),
    ...more,
  })
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${await vault.listen(0)}`
  config.vaultUrl = url
  return {
    vault,
    folder,
    url,
    damaged,
    async close() {
      await vault.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
