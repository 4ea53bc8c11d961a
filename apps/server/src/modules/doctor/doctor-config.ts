import type { GatewayName } from '../payments/index.ts'

/** The part of the configuration that is checked. */
export interface DoctorConfig {
  dataDir: string
  databaseUrl: string | undefined
  secretKey: string | undefined
  host: string
  port: number
  publicUrl: string
  controlUrl: string
  vaultUrl: string
  vaultDir: string
  /** In the stead of the folder. */
  vaultBucket: object | undefined
  edgeDomain: string
  clusterUrl(label: string): string
  nameServers: readonly { host: string; address: string; port: number }[]
  payments: { gateway: GatewayName }
  smtpUrl: string | undefined
  mailFrom: string
  mailSelector: string | undefined
  selfBackup: { repository: string; passwordFile: string } | undefined
  /** Files with secrets, absolute. */
  secretFiles: readonly string[]
  /** Where the outside clock is read; undefined: nowhere. */
  clockUrl: string | undefined
  version: string
  /** How commands begin: `atollctl` or `npm run`. */
  isRelease: boolean
}
