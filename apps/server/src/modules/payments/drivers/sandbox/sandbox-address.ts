/**
 * Addresses of the sandbox's pages. Each carries a proof that only this deployment can make, so that knowing an id is
 * not enough to open or to answer a page, and no other site can.
 */
import type { Sealer } from '../../../../platform/crypto.ts'

export type SandboxPage = 'card' | 'confirm'
export const sandboxPath = '/pay/sandbox'

/** The page's address on the host of `returnUrl`, from which the browser comes and to which it returns. */
export type PageAddress = (page: SandboxPage, id: string, returnUrl: string) => string

export function sandboxAddresses(sealer: Sealer): {
  of: PageAddress
  isProof(page: SandboxPage, id: string, proof: string): boolean
} {
  const proofOf = (page: SandboxPage, id: string) => sealer.derive(`sandbox ${page}`, id)
  return {
    of: (page, id, returnUrl) => `${new URL(returnUrl).origin}${sandboxPath}/${page}/${id}/${proofOf(page, id)}`,
    isProof: (page, id, proof) => sealer.accepts(`sandbox ${page}`, id, proof),
  }
}
