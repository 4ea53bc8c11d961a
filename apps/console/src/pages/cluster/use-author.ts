import { isDisplayableName, shorten } from '@atoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useCurrentAccount } from '../../accounts/account-store.ts'
import { initQuery } from '../../api/queries.ts'
import { useText } from '../../i18n/text.ts'

/** Who asked for an operation, in words: you, another by name, or the system by itself. */
export function useAuthor(): (by: string | null) => string {
  const t = useText()
  const userid = useCurrentAccount()?.userid ?? ''
  const users = useQuery(initQuery(userid)).data?.clusterUserAndPeriod.clusterUser ?? []
  return (by) => {
    if (by === null) return t('detail.byItself')
    if (by === userid) return t('detail.byYou')
    const name = users.find((user) => user.userid === by)?.terminusName
    return name && isDisplayableName(name) ? name : shorten(by)
  }
}
