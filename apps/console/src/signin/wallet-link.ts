import { walletLink } from '@atoll/contract/identity'
import { runtimeConfig } from '../config/runtime-config.ts'
import type { SignIn } from './use-sign-in.ts'

/** This deployment's web wallet with the code, in a tab of its own: a newcomer sets it up there, and then answers. */
export function toWallet({ codeText, giveToWallet }: Pick<SignIn, 'codeText' | 'giveToWallet'>) {
  const walletUrl = runtimeConfig().walletUrl.replace(/\/+$/, '')
  return { href: walletLink(walletUrl, codeText), target: '_blank', rel: 'noopener', onClick: giveToWallet } as const
}
