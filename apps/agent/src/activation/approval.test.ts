import type { ErrorKey } from '@atoll/contract/api'
import { identityFromPrivateKey, signJws } from '@atoll/did'
import { describe, expect, test } from 'vitest'
import { ApprovalRefusal, verifyApproval } from './approval.ts'

const owner = identityFromPrivateKey(new Uint8Array(32).fill(1))
const stranger = identityFromPrivateKey(new Uint8Array(32).fill(2))
const now = Date.UTC(2026, 5, 1)
const seconds = now / 1000
const honest = {
  event: 'activate_os',
  did: owner.did,
  secret: 'a'.repeat(32),
  time: now,
  iss: owner.kid,
  nbf: seconds,
  exp: seconds + 365 * 24 * 3600,
}

async function outcome(body: unknown): Promise<ErrorKey | 'accepted'> {
  try {
    await verifyApproval(body, { ownerDid: owner.did, now })
    return 'accepted'
  } catch (error) {
    if (error instanceof ApprovalRefusal) return error.key
    throw error
  }
}

async function approval(claims: Record<string, unknown>, signer = owner): Promise<object> {
  return { id: '1', jws: await signJws({ ...honest, ...claims }, signer), did: signer.did }
}

describe('an approval of the activation', () => {
  test('by the owner is accepted, whatever unsigned copies say', async () => {
    const body = { ...(await approval({})), secret: 'b'.repeat(32), event: 'login_cloud', time: 0 }
    expect(await verifyApproval(body, { ownerDid: owner.did, now })).toMatchObject({ secret: 'a'.repeat(32) })
  })

  test.each([
    ['nothing', async () => undefined, 'jwsMalformed'],
    ['no signature', async () => ({ did: owner.did }), 'jwsMalformed'],
    ['a signed sign-in', () => approval({ event: 'login_cloud' }), 'jwsMalformed'],
    ['a signature that does not say what for', () => approval({ event: undefined }), 'jwsMalformed'],
    ['a stranger', () => approval({ iss: stranger.kid, did: undefined }, stranger), 'otherDidExpected'],
    ['a stranger who names the owner', () => approval({ did: undefined }, stranger), 'jwsIssuer'],
    [
      'a stranger whose wallet writes the DID that was asked for over its own',
      async () => ({ ...(await approval({ iss: stranger.kid }, stranger)), did: owner.did }),
      'otherDidExpected',
    ],
    ['the owner, for another', () => approval({ did: stranger.did }), 'otherDidExpected'],
    ['a signature that has expired', () => approval({ exp: seconds - 600 }), 'jwsExpired'],
    ['a phone 10 min ahead', () => approval({ nbf: seconds + 600 }), 'clockAhead'],
    ['a code from the future', () => approval({ time: now + 600_000 }), 'codeFromFuture'],
  ] satisfies [string, () => Promise<unknown>, ErrorKey][])('by %s is refused', async (_, body, refusal) => {
    expect(await outcome(await body())).toBe(refusal)
  })
})
