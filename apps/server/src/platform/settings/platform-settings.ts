/** Settings of what every role stands on: data, database, log, and what the product is called. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { Count, List, Path, secret, setting, type ValuesOf } from './setting.ts'

export const roles = ['api', 'worker', 'edge', 'dns', 'vault'] as const
export type Role = (typeof roles)[number]

export const platformSettings = {
  ATOLL_DATA_DIR: setting(Path, '.data', 'Folder for everything this deployment keeps on this machine.'),
  ATOLL_ROLES: setting(
    List.pipe(z.array(z.enum(roles)).min(1)),
    roles.join(','),
    'What this process does; also --roles.',
  ),
  DATABASE_URL: secret(
    // Not z.url(): libpq's form with a socket folder, postgresql://user@/name?host=/folder, is no URL to it.
    z
      .string()
      .regex(/^postgres(ql)?:\/\/\S+$/, 'must start with postgres:// or postgresql://')
      .optional(),
    'PostgreSQL 15 or newer to use.',
    'an embedded server in the data folder',
  ),
  ATOLL_DATABASE_POOL: setting(Count(2, 500), '20', 'Database connections of this process for requests and jobs.'),
  ATOLL_SECRET_KEY: secret(
    z.string().min(32, 'must have at least 32 characters').optional(),
    'Key for secrets at rest; the same for every process of a deployment.',
    'a key file in the data folder',
  ),
  ATOLL_WORKER_CONCURRENCY: setting(Count(1, 200), '10', 'Jobs a worker runs at a time.'),
  ATOLL_SHUTDOWN_SECONDS: setting(Count(1, 600), '20', 'After this long a stop no longer waits for work under way.'),
  ATOLL_LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'How much is logged.',
  ),
  ATOLL_PRODUCT: setting(z.string().min(1).max(40), 'Atoll', 'Name of the product in every text.'),
  ATOLL_WALLET_NAME: setting(z.string().min(1).max(40), 'LarePass', 'Name of the wallet app in texts.'),
}

/** `root`: folder against which relative paths are resolved. */
export function platformConfig(values: ValuesOf<typeof platformSettings>, root: string) {
  return {
    /** Absolute. */
    dataDir: resolve(root, values.ATOLL_DATA_DIR),
    roles: values.ATOLL_ROLES,
    /** Undefined: the embedded server. */
    databaseUrl: values.DATABASE_URL,
    databasePool: values.ATOLL_DATABASE_POOL,
    secretKey: values.ATOLL_SECRET_KEY,
    workerConcurrency: values.ATOLL_WORKER_CONCURRENCY,
    shutdownMs: values.ATOLL_SHUTDOWN_SECONDS * 1000,
    logLevel: values.ATOLL_LOG_LEVEL,
    product: values.ATOLL_PRODUCT,
    walletName: values.ATOLL_WALLET_NAME,
  }
}
