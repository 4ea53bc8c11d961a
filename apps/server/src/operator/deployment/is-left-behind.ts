import type { DialedHost } from '../../modules/agents/index.ts'

/**
 * Whether agents may need an earlier name. Those that have not called since a version that records the name was
 * installed may know no other.
 */
export function isLeftBehind({ host }: Pick<DialedHost, 'host'>, inUse: ReadonlySet<string>): boolean {
  return host === null || !inUse.has(host)
}
