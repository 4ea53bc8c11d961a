import { avatarSet } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { type AvatarDeps, setAvatar } from '../avatar/avatar-service.ts'

export function avatarUpload(deps: AvatarDeps): Route {
  return implement(avatarSet, async ({ image }, { account }) => ({ avatar: await setAvatar(deps, account, image) }))
}
