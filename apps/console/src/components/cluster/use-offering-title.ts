import { useQuery } from '@tanstack/react-query'
import { useCurrentAccount } from '../../accounts/account-store.ts'
import { initQuery } from '../../api/queries.ts'

/** Finds what an offering is called in the catalogue; one no longer sold goes by its own name. */
export function useOfferingTitle(): (offering: string) => string {
  const userid = useCurrentAccount()?.userid ?? ''
  const info = useQuery(initQuery(userid)).data?.instanceInfo
  return (offering) => info?.data.find(({ name }) => name === offering)?.title ?? offering
}
