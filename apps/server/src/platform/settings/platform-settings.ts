/** Settings of what every role stands on: data, database, log, and what the product is called. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { Count, List, Path, secret, setting, type ValuesOf } from './setting.ts'

export const roles = ['api', 'worker', 'edge', 'dns', 'vault'] as const
export type Role = (typeof roles)[number]

/** A page of the operator's, on the web. */
const WebPage = z.url({ protocol: /^https?$/ })

export const platformSettings = {
  ATOLL_DATA_DIR: setting(Path, '.data', 'Folder for everything this deployment keeps on this machine.'),
  ATOLL_ROLES: setting(
    List.pipe(z.array(z.enum(roles)).min(1)),
    roles.join(','),
    'Roles of this process; also --roles.',
  ),
  DATABASE_URL: secret(
    // Not z.url(): libpq's form with a socket folder, postgresql://user@/name?host=/folder, is no URL to it.
    z
      .string()
      .regex(/^postgres(ql)?:\/\/\S+$/, 'must start with postgres:// or postgresql://')
      .optional(),
    'PostgreSQL 15 or newer to use. Several hosts, separated by commas: the primary among them.',
    'an embedded server in the data folder',
  ),
  ATOLL_DATABASE_POOL: setting(
    Count(2, 500).optional(),
    undefined,
    'Database connections of this process for requests and jobs.',
    '20 for api and worker, 10 for the other roles',
  ),
  ATOLL_SECRET_KEY: secret(
    z.string().min(32, 'must have at least 32 characters').optional(),
    'Key for secrets at rest; the same for every process of a deployment.',
    'a key file in the data folder',
  ),
  ATOLL_WORKER_CONCURRENCY: setting(
    Count(1, 200),
    '10',
    'Jobs that a worker runs at a time, besides those that wait for outside servers.',
  ),
  ATOLL_SHUTDOWN_SECONDS: setting(Count(1, 600), '20', 'Seconds that a stop waits for requests and jobs under way.'),
  ATOLL_LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'How much is logged.',
  ),
  ATOLL_CLOCK_URL: setting(
    z.url({ protocol: /^https$/ }).optional(),
    undefined,
    "HTTPS address whose Date header tells the time; asked when this machine's clock has jumped.",
    'the directory of ATOLL_ACME_DIRECTORY',
  ),
  ATOLL_PRODUCT: setting(z.string().min(1).max(40), 'Atoll', 'Name of the product in every text.'),
  ATOLL_SUPPORT: setting(
    z.union([z.email(), WebPage]).optional(),
    undefined,
    'Where people who need help turn to: a mail address or a web page. Named at the foot of sign-in, in the account menu, in mails and beside errors.',
    'none',
  ),
  ATOLL_STATUS_URL: setting(WebPage.optional(), undefined, 'The page that says whether all works.', 'none'),
  ATOLL_TERMS_URL: setting(WebPage.optional(), undefined, 'The terms of service.', 'none'),
  ATOLL_PRIVACY_URL: setting(WebPage.optional(), undefined, 'The privacy policy.', 'none'),
  ATOLL_WALLET_NAME: setting(z.string().min(1).max(40), 'LarePass', 'Name of the wallet app in texts.'),
}

/** All roles together stay below the 100 connections that PostgreSQL accepts unless it is told otherwise. */
function poolOf(taken: readonly Role[]): number {
  return taken.includes('api') || taken.includes('worker') ? 20 : 10
}

/** `root`: folder against which relative paths are resolved. */
export function platformConfig(values: ValuesOf<typeof platformSettings>, root: string) {
  return {
    /** Absolute. */
    dataDir: resolve(root, values.ATOLL_DATA_DIR),
    roles: values.ATOLL_ROLES,
    /** Undefined: the embedded server. */
    databaseUrl: values.DATABASE_URL,
    databasePool: values.ATOLL_DATABASE_POOL ?? poolOf(values.ATOLL_ROLES),
    secretKey: values.ATOLL_SECRET_KEY,
    workerConcurrency: values.ATOLL_WORKER_CONCURRENCY,
    shutdownMs: values.ATOLL_SHUTDOWN_SECONDS * 1000,
    logLevel: values.ATOLL_LOG_LEVEL,
    clockUrl: values.ATOLL_CLOCK_URL,
    product: values.ATOLL_PRODUCT,
    walletName: values.ATOLL_WALLET_NAME,
    /** The operator's own pages, as links. */
    links: {
      support:
        values.ATOLL_SUPPORT?.includes('://') === false ? `mailto:${values.ATOLL_SUPPORT}` : values.ATOLL_SUPPORT,
      status: values.ATOLL_STATUS_URL,
      terms: values.ATOLL_TERMS_URL,
      privacy: values.ATOLL_PRIVACY_URL,
    },
  }
}
