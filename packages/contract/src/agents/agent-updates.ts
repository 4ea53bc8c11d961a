/**
 * How agents become newer: the control plane names a release, and the agent installs it only when the signature is
 * of the key that it came with. An attacker who takes over the control plane cannot install a program of their own.
 */
import { z } from 'zod'

export const AgentRelease = z.object({
  /** As an agent of it reports: version and commit. */
  version: z.string().min(1).max(40),
  /** When its sources were committed, seconds: an agent goes to no older one. */
  at: z.int().nonnegative(),
  /** Of its archive. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Ed25519 over `signedTextOf`, base64. */
  signature: z.base64().length(88),
})
export type AgentRelease = z.infer<typeof AgentRelease>

/** The bytes that the release's key signs. */
export function signedTextOf({ version, at, sha256 }: Omit<AgentRelease, 'signature'>): string {
  return `atoll agent\n${version}\n${at}\n${sha256}\n`
}

/** Path of the archive on the control plane. */
export function agentArchivePath({ sha256 }: Pick<AgentRelease, 'sha256'>): string {
  return `/agent/agent-${sha256.slice(0, 12)}.tar.gz`
}

/** A new version that has not reported within this returns to the one before, ms. */
export const updateTrialMs = 90_000

/** An agent's own account of its program; absent from an agent that cannot update itself. */
export const AgentProgram = z.object({
  /** It came with the key that verifies its successors. */
  hasKey: z.boolean(),
  /** The version that it can go back to; null: there is none. */
  previous: z.string().max(40).nullable(),
})
export type AgentProgram = z.infer<typeof AgentProgram>
