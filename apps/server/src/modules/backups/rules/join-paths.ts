/** The union of `paths` and `more`, paths of the drive, without any path inside another one; sorted. */
export function joinPaths(paths: readonly string[], more: readonly string[]): string[] {
  const all = [...new Set([...paths, ...more])].sort()
  if (all.includes('/')) return ['/']
  return all.filter((inner) => !all.some((outer) => inner.startsWith(`${outer}/`)))
}
