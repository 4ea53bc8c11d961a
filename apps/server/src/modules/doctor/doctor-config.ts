import { currentBuild, isRelease } from '../../platform/install.ts'
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

/** The settings that this takes as they are. */
type Given = Omit<DoctorConfig, 'version' | 'isRelease'> & { acme: { directory: string } | undefined }

export function doctorConfigOf<C extends Given>(config: C): C & DoctorConfig {
  const { dataDir, selfBackup, acme } = config
  return {
    ...config,
    secretFiles: [...config.secretFiles, `${dataDir}/secret.key`, ...(selfBackup ? [selfBackup.passwordFile] : [])],
    clockUrl: config.clockUrl ?? acme?.directory,
    version: currentBuild().version,
    isRelease,
  }
}
