/** The inputs and outputs of the parts of the composition. */
import type { Pool } from 'pg'
import type { Config } from '../config.ts'
import type { Abuse } from '../modules/abuse/index.ts'
import type { Accounts } from '../modules/accounts/index.ts'
import type { Agents } from '../modules/agents/index.ts'
import type { Announcements } from '../modules/announcements/index.ts'
import type { Audit } from '../modules/audit/index.ts'
import type { Backups } from '../modules/backups/index.ts'
import type { Billing } from '../modules/billing/index.ts'
import type { LiveCatalog } from '../modules/catalog/index.ts'
import type { Certificates } from '../modules/certificates/index.ts'
import type { Clusters } from '../modules/clusters/index.ts'
import type { Credentials } from '../modules/credentials/index.ts'
import type { Dns } from '../modules/dns/index.ts'
import type { Domains } from '../modules/domains/index.ts'
import type { Edge } from '../modules/edge/index.ts'
import type { Identity } from '../modules/identity/index.ts'
import type { Mail } from '../modules/mail/index.ts'
import type { News } from '../modules/news/index.ts'
import type { Observe } from '../modules/observe/index.ts'
import type { Payments } from '../modules/payments/index.ts'
import type { Rights } from '../modules/rights/index.ts'
import type { Rollouts } from '../modules/rollouts/index.ts'
import type { Staff } from '../modules/staff/index.ts'
import type { TrafficLimits } from '../modules/usage/index.ts'
import type { Vault } from '../modules/vault/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Sealer } from '../platform/crypto.ts'
import type { Db } from '../platform/db/index.ts'
import type { ChangeFeed, Listener } from '../platform/events/index.ts'
import type { Log } from '../platform/log.ts'

/** Exists before any module. */
export interface Base {
  db: Db
  pool: Pool
  clock: Clock
  config: Config
  log: Log
  catalog: LiveCatalog
  sealer: Sealer
  listener: Listener
  feed: ChangeFeed
}

/** The modules, by name, as `compose` makes them: each is given what was made before it. */
export interface Modules {
  identity: Identity
  mail: Mail
  accounts: Accounts
  audit: Audit
  payments: Payments
  billing: Billing
  limits: TrafficLimits
  observe: Observe
  agents: Agents
  clusters: Clusters
  vault: Vault
  backups: Backups
  dns: Dns
  certificates: Certificates
  credentials: Credentials
  domains: Domains
  edge: Edge
  rollouts: Rollouts
  staff: Staff
  news: News
  announcements: Announcements
  abuse: Abuse
  rights: Rights
}
