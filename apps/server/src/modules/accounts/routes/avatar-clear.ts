import { avatarRemove } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { type AvatarDeps, removeAvatar } from '../avatar/avatar-service.ts'

export function avatarClear(deps: AvatarDeps): Route {
  return implement(avatarRemove, async (_, { account }) => {
    await removeAvatar(deps, account)
    return {}
  })
}
