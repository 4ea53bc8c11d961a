import type { SignedIn } from '@atoll/contract/accounts'

/** Why an account may not create clusters at all (spec §6). */
export type CreateRefusal = 'notPermitted' | 'idNotBound'

/** The first reason, in the order in which the call itself refuses; undefined: it may. */
export function createRefusal(user: Pick<SignedIn, 'canCreateCluster' | 'terminusName'>): CreateRefusal | undefined {
  if (!user.canCreateCluster) return 'notPermitted'
  return user.terminusName ? undefined : 'idNotBound'
}
