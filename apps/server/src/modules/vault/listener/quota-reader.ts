/** A plan changes rarely, and a run asks with each file, so an answer is cached for this time, ms. */
const heldMs = 10_000
const mostHeld = 10_000

/** Asks `read` for an account's quota at most every ten seconds; a failure is not remembered. */
export function createQuotaReader(
  read: (owner: string) => Promise<number | null>,
): (owner: string) => Promise<number | null> {
  const held = new Map<string, { at: number; quota: Promise<number | null> }>()
  return (owner) => {
    const found = held.get(owner)
    if (found && performance.now() - found.at < heldMs) return found.quota
    if (held.size >= mostHeld) held.clear()
    const quota = read(owner)
    held.set(owner, { at: performance.now(), quota })
    quota.catch(() => held.delete(owner))
    return quota
  }
}
