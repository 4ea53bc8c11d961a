import type { DialedHost } from '../../modules/agents/index.ts'

/**
 * Whether agents may need an earlier name. Those that have not called since the name is noted may know no other: they
 * were away when the version came that notes it.
 */
export function isLeftBehind({ host }: Pick<DialedHost, 'host'>, inUse: ReadonlySet<string>): boolean {
  return host === null || !inUse.has(host)
}
