import { useInit } from '../../data/home-queries.ts'

/** Finds what an offering is called in the catalogue; one no longer sold goes by its own name. */
export function useOfferingTitle(): (offering: string) => string {
  const info = useInit().data?.instanceInfo
  return (offering) => info?.data.find(({ name }) => name === offering)?.title ?? offering
}
