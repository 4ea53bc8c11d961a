export interface InstancesSearch {
  /** Only the instances of this cluster. */
  cluster?: string
  /** Only those of this userid. */
  user?: string
}

const longest = 256

/** The search of `/instance` and `/instanceMobile`; what is no text or too long is dropped. */
export function instancesSearch(search: Record<string, unknown>): InstancesSearch {
  const read = (value: unknown) =>
    typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined
  const [cluster, user] = [read(search.cluster), read(search.user)]
  return { ...(cluster && { cluster }), ...(user && { user }) }
}
