/**
 * Passwords of backups that were entered before the machine that needs them has a key, by the id of its cluster. They
 * are in this page's memory alone, until they are sent; a page that was closed asks again.
 */
const held = new Map<string, string>()

export function holdPassword(clusterId: string, password: string): void {
  held.set(clusterId, password)
}
export function heldPassword(clusterId: string): string | undefined {
  return held.get(clusterId)
}
export function dropPassword(clusterId: string): void {
  held.delete(clusterId)
}
