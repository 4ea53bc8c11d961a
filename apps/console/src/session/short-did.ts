/** A DID with its middle left out, for a place that only has to be recognised: `did:key:z6MkvARm…qQQCHzo2`. */
export function shortDid(did: string): string {
  return did.length > 30 ? `${did.slice(0, 16)}…${did.slice(-8)}` : did
}
