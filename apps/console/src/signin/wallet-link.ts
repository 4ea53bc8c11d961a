import { walletLink } from '@atoll/contract/identity'
import { runtimeConfig } from '../config/runtime-config.ts'

/** This deployment's web wallet with a code, in a tab of its own: a newcomer sets it up there, and then answers. */
export function toWallet(codeText: string) {
  const walletUrl = runtimeConfig().walletUrl.replace(/\/+$/, '')
  return { href: walletLink(walletUrl, codeText), target: '_blank', rel: 'noopener' } as const
}
