/** Addresses of the control plane that this agent knows: those that it was told over the channel, then its first. */
export interface Addresses {
  /** The best first. */
  list(): readonly [string, ...string[]]
  /** The one where it was reached last, until then the best. */
  current(): string
  reached(address: string): void
}

/**
 * `told`: by the control plane, kept over restarts; `first`: the address that the machine was started with. A machine
 * that was started with an encrypted address accepts no other kind: the token would be readable on the way.
 */
export function knownAddresses(told: () => readonly string[] | undefined, first: string): Addresses {
  let reachedAt: string | undefined
  const list = (): [string, ...string[]] => {
    const all = (told() ?? []).map((address) => address.replace(/\/+$/, ''))
    const safe = all.filter((address) => !isEncrypted(first) || isEncrypted(address))
    const [best = first, ...others] = [...new Set([...safe, first])]
    return [best, ...others]
  }
  return {
    list,
    current: () => reachedAt ?? list()[0],
    reached(address) {
      reachedAt = address
    },
  }
}

const isEncrypted = (address: string) => /^https:/i.test(address)
