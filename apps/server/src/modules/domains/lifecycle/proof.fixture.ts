import type { Wanted } from '../domain-deps.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'

export const isApex = (domain: string) => domain.split('.').length === 2

/** A harness in which our own servers are asked below an apex that is delegated here, and answer nothing of it. */
export async function createProofHarness(): Promise<DomainHarness> {
  const harness = await createDomainHarness()
  const lookUp = harness.deps.dns.lookUp
  harness.deps.dns.lookUp = (asked: { domain: string; want: Wanted }) => {
    const isHidden = asked.want.kind === 'txt' && harness.dns.records.has(`NS ${asked.domain}`) && isApex(asked.domain)
    return lookUp(isHidden ? { ...asked, want: { kind: 'txt', names: [asked.domain], value: 'hidden' } } : asked)
  }
  return harness
}
