import { displayName } from '@atoll/contract/wire'
import { useInit } from '../../data/home-queries.ts'
import { useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'

/** The author of an operation, in words: you, another by name, or the system; inside a sentence or alone. */
export function useAuthor(place: 'inSentence' | 'alone'): (by: string | null) => string {
  const t = useText()
  const userid = useCurrentAccount()?.userid ?? ''
  const users = useInit().data?.clusterUserAndPeriod.clusterUser ?? []
  return (by) => {
    if (by === null) return t(place === 'alone' ? 'activity.system' : 'detail.byItself')
    if (by === userid) return t(place === 'alone' ? 'activity.you' : 'detail.byYou')
    return displayName(users.find((user) => user.userid === by) ?? { userid: by })
  }
}
