import { toDomainBase } from '@atoll/contract/domains'
import { runtimeConfig } from '../config/runtime-config.ts'

/** Where our wallet goes on with a domain. */
export function walletUrlOf(domain: string): string {
  return `${runtimeConfig().walletUrl.replace(/\/+$/, '')}/domain/${toDomainBase(domain)}`
}
