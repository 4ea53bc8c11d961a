import type { Account } from '../session/account.ts'

/** DIDs of the right shape; nobody holds their keys. */
export const dids = ['a', 'b', 'c', 'd', 'e'].map((letter) => `did:key:z6Mk${letter.repeat(44)}`)

/** An account with a session that lasts until `expired`. */
export function exampleAccount(number: number, facts: Partial<Account> = {}): Account {
  return {
    userid: dids[number] ?? '',
    terminusName: `reef${number}@atoll.test`,
    avatar: null,
    email: null,
    canCreateCluster: true,
    vCpuQuota: 16,
    planLevel: 0,
    planLevelStr: 'Free',
    accessLimit: false,
    role: 'User',
    staff: null,
    isHeld: false,
    closesAt: null,
    timeZone: null,
    token: `token-${number}`,
    expired: 4_000_000_000_000,
    ...facts,
  }
}
