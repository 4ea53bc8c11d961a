import { toDomainBase } from '@atoll/contract/domains'
import { runtimeConfig } from '../config/runtime-config.ts'

/** Where our wallet goes on with a domain. */
export function walletUrlOf(domain: string): string {
  return `${walletBase()}/domain/${toDomainBase(domain)}`
}

/** Where our wallet makes another identity. */
export function newIdentityUrl(): string {
  return `${walletBase()}/new`
}

function walletBase(): string {
  return runtimeConfig().walletUrl.replace(/\/+$/, '')
}
