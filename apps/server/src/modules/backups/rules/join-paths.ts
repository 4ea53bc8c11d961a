/** What lies at any of `paths` or `more`, paths of the drive, without one that lies within another; sorted. */
export function joinPaths(paths: readonly string[], more: readonly string[]): string[] {
  const all = [...new Set([...paths, ...more])].sort()
  if (all.includes('/')) return ['/']
  return all.filter((inner) => !all.some((outer) => inner.startsWith(`${outer}/`)))
}
