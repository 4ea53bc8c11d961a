import { SignedIn } from '@atoll/contract/accounts'
import { type SignInDeps, takeSignIn } from './sign-in-service.ts'

const sessionMs = 7 * 24 * 60 * 60_000

/** The configuration of `createAccounts` in tests; fields that do not matter to a test have these values. */
export const testAccountsConfig = {
  sessionMs,
  canCreateCluster: true,
  product: 'Atoll',
  publicUrl: 'https://console.atoll.test',
  chinaUrl: 'https://console.atoll.test',
  walletUrl: 'https://wallet.atoll.test',
  requireMatchNumber: false,
}

/** As a browser asks for its session; undefined when there is none to take. */
export async function takeSession(deps: SignInDeps, secret: string, browser?: string): Promise<SignedIn | undefined> {
  const answer = await takeSignIn(deps, {
    secret,
    browser,
    userAgent: 'node',
    ip: '127.0.0.1',
    host: '127.0.0.1',
    locale: 'en-US',
  })
  return 'userid' in answer ? SignedIn.parse(answer) : undefined
}
