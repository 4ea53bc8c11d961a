import { useQuery } from '@tanstack/react-query'
import { initQuery } from '../../data/queries.ts'
import { useCurrentAccount } from '../../session/account-store.ts'

/** Finds what an offering is called in the catalogue; one no longer sold goes by its own name. */
export function useOfferingTitle(): (offering: string) => string {
  const userid = useCurrentAccount()?.userid ?? ''
  const info = useQuery(initQuery(userid)).data?.instanceInfo
  return (offering) => info?.data.find(({ name }) => name === offering)?.title ?? offering
}
