/**
 * Settings that are good enough on a developer's machine and dangerous where strangers can reach it: the start refuses
 * them on a public address unless the operator has allowed them explicitly.
 */
import { statSync } from 'node:fs'
import { isLoopback } from '../../platform/network-of.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import type { Catalog } from '../catalog/index.ts'
import type { GatewayName } from '../payments/index.ts'
import { isPublicUrl } from './public-url.ts'
import type { Allowance } from './settings.ts'

export interface ProductionConfig {
  publicUrl: string
  payments: { gateway: GatewayName }
  smtpUrl: string | undefined
  dataDir: string
  vaultUrl: string
  selfHostClusters: number
  /** Absolute. */
  secretFiles: readonly string[]
  allowed: readonly Allowance[]
}

interface Unsafe {
  allowance: Allowance
  problem: string
}

/** The unsafe settings of a deployment on a public address, whether they are allowed or not. */
export function listUnsafe(config: ProductionConfig, { clouds }: Pick<Catalog, 'clouds'>, isRoot: boolean): Unsafe[] {
  if (!isPublicUrl(config.publicUrl)) return []
  const found: Unsafe[] = []
  const note = (allowance: Allowance, problem: string) => found.push({ allowance, problem })
  if (config.payments.gateway === 'sandbox')
    note('sandbox', 'Cards are charged by the sandbox, which moves no money. Set ATOLL_PAYMENT_GATEWAY=stripe.')
  const own = clouds.filter(({ driver }) => driver === 'process').map(({ cloudName }) => cloudName)
  if (own.length > 0)
    note(
      'process',
      `Customers' instances are processes of this machine, which isolates nothing: take ${own.join(', ')} out of the catalogue.`,
    )
  if (config.smtpUrl === undefined)
    note('outbox', `Mails are kept as files in ${config.dataDir}/outbox, which nobody reads. Set ATOLL_SMTP_URL.`)
  const hasOthers = config.selfHostClusters > 0 || clouds.some(({ lxd }) => lxd !== undefined)
  if (hasOthers && isLoopback(new URL(config.vaultUrl).hostname))
    note('vault', `Instances on other machines cannot reach the vault at ${config.vaultUrl}. Set ATOLL_VAULT_URL.`)
  // As another user than root, instances of `process` are this very user's.
  if (own.length > 0 && (!isRoot || config.secretFiles.some(isOpen)))
    note('key', "Customers' instances can read the deployment's key. Run the server as root, with the key's mode 0600.")
  return found
}

function isOpen(file: string): boolean {
  const status = statSync(file, { throwIfNoEntry: false })
  return status !== undefined && (status.mode & 0o004) !== 0
}

/** Throws an `OperatorError` with all that is neither safe nor allowed. */
export function requireProductionDefaults(config: ProductionConfig, catalog: Pick<Catalog, 'clouds'>): void {
  const refused = listUnsafe(config, catalog, process.getuid?.() === 0).filter(
    ({ allowance }) => !config.allowed.includes(allowance),
  )
  if (refused.length === 0) return
  const words = [...new Set([...config.allowed, ...refused.map(({ allowance }) => allowance)])]
  throw new OperatorError(
    [
      `Strangers reach ${config.publicUrl}, and this is not safe for them or for you:`,
      ...refused.map(({ allowance, problem }) => `- ${problem} (${allowance})`),
      `Mend it; or, where it is meant so, start with ATOLL_ALLOW=${words.join(',')}`,
    ].join('\n'),
  )
}
