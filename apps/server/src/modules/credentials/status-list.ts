/** The list that says which credentials are revoked: VCDM 2.0 as a JWT, BitstringStatusList. */
import { gzipSync } from 'node:zlib'
import { signJws } from '@atoll/did'
import type { CredentialDeps } from './credential-deps.ts'
import { findList, statusListBits } from './stores/credential-store.ts'
import { findIssuer } from './stores/issuer-key-store.ts'

/** How long a list may be kept, ms. */
export const statusListTtlMs = 5 * 60_000
const validForMs = 24 * 60 * 60_000

export function statusListUrl({ publicUrl }: { publicUrl: string }, list: number): string {
  return `${publicUrl}/credentials/status/${list}`
}

/** A list, signed by the issuer whose credentials are in it, retired or not; undefined for one that there is not. */
export async function signStatusList(deps: CredentialDeps, list: number): Promise<string | undefined> {
  const { db, sealer, clock, config } = deps
  const found = await findList(db, list)
  const issuer = found && (await findIssuer({ db, sealer }, found.issuer))
  if (!issuer) return undefined
  const now = clock.now()
  const url = statusListUrl(config, list)
  return await signJws(
    {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      id: url,
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer: issuer.did,
      validFrom: now.toISOString(),
      validUntil: new Date(now.getTime() + validForMs).toISOString(),
      credentialSubject: {
        id: `${url}#list`,
        type: 'BitstringStatusList',
        statusPurpose: 'revocation',
        encodedList: encodeList(found.revoked),
        ttl: statusListTtlMs,
      },
    },
    issuer,
    { typ: 'vc+jwt' },
  )
}

/** The first place is the highest bit of the first byte; compressed, multibase base64url. */
export function encodeList(places: readonly number[]): string {
  const bytes = Buffer.alloc(statusListBits / 8)
  for (const place of places) bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (0x80 >> (place & 7))
  return `u${gzipSync(bytes).toString('base64url')}`
}
