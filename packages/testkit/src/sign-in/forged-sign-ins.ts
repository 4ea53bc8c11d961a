import { createHmac } from 'node:crypto'
import type { ErrorKey } from '@atoll/contract/api'
import type { SignRequest } from '@atoll/contract/identity'
import { composeJws, ed25519 } from './compact-jws.ts'
import { createScriptedWallet, type LoginBody, type ScriptedWallet, signedTimes } from './scripted-wallet.ts'
import { createSignInCode } from './sign-in-code.ts'

/** One attack on `login`: the body a forger posts and the refusal it must meet. */
export interface ForgedSignIn {
  name: string
  refusal: ErrorKey
  body(wallet: ScriptedWallet, origin: string): LoginBody
}

const minute = 60_000

/** Sign-ins that must be refused, each for its own reason. */
export const forgedSignIns: ForgedSignIn[] = [
  {
    name: 'a JWS of two parts',
    refusal: 'jwsMalformed',
    body: (wallet, origin) => {
      const honest = honestBody(wallet, origin)
      return { ...honest, jws: honest.jws.split('.').slice(0, 2).join('.') }
    },
  },
  {
    name: 'a signed payload that is not an object',
    refusal: 'jwsMalformed',
    body: (wallet, origin) => ({
      ...honestBody(wallet, origin),
      jws: composeJws({ alg: 'EdDSA', kid: wallet.kid }, 'just text', ed25519(wallet.identity)),
    }),
  },
  {
    name: 'alg none',
    refusal: 'jwsAlgorithm',
    body: (wallet, origin) => resigned(wallet, origin, { alg: 'none' }, () => Buffer.alloc(0)),
  },
  {
    name: 'the public key used as an HMAC secret',
    refusal: 'jwsAlgorithm',
    body: (wallet, origin) =>
      resigned(wallet, origin, { alg: 'HS256' }, (input) =>
        createHmac('sha256', wallet.identity.publicKey).update(input).digest(),
      ),
  },
  {
    name: 'a signature by another key',
    refusal: 'jwsSignature',
    body: (wallet, origin) => {
      const forger = createScriptedWallet()
      const { request } = createSignInCode(origin)
      const jws = forger.sign(claimsOf(request, wallet.kid), { kid: wallet.kid })
      return { id: request.message.id, jws, did: wallet.did }
    },
  },
  {
    name: 'a payload changed after signing',
    refusal: 'jwsSignature',
    body: (wallet, origin) => {
      const honest = honestBody(wallet, origin)
      const [header, , signature] = honest.jws.split('.')
      const other = JSON.stringify(claimsOf(createSignInCode(origin).request, wallet.kid))
      return { ...honest, jws: [header, Buffer.from(other).toString('base64url'), signature].join('.') }
    },
  },
  {
    name: 'an issuer that is not the signer',
    refusal: 'jwsIssuer',
    body: (wallet, origin) => {
      const { request } = createSignInCode(origin)
      return wallet.approval(request, 'scan', { iss: createScriptedWallet().kid })
    },
  },
  {
    name: 'a signature that has expired',
    refusal: 'jwsExpired',
    body: (wallet, origin) => {
      const { request } = createSignInCode(origin)
      return wallet.approval(request, 'scan', { exp: Math.floor((Date.now() - 10 * minute) / 1000) })
    },
  },
  {
    name: 'a phone whose clock is 10 minutes ahead',
    refusal: 'clockAhead',
    body: (wallet, origin) => {
      const { request } = createSignInCode(origin)
      return wallet.approval(request, 'scan', signedTimes(Date.now() + 10 * minute))
    },
  },
  {
    name: 'a code shown 10 minutes ago',
    refusal: 'codeExpired',
    body: (wallet, origin) => wallet.approval(createSignInCode(origin, { time: Date.now() - 10 * minute }).request),
  },
  {
    name: 'a screen whose clock is 10 minutes ahead',
    refusal: 'codeFromFuture',
    body: (wallet, origin) => wallet.approval(createSignInCode(origin, { time: Date.now() + 10 * minute }).request),
  },
  {
    name: 'a code that asks for another identity',
    refusal: 'otherDidExpected',
    body: (wallet, origin) => wallet.approval(createSignInCode(origin, { did: createScriptedWallet().did }).request),
  },
]

function honestBody(wallet: ScriptedWallet, origin: string): LoginBody {
  return wallet.approval(createSignInCode(origin).request)
}

function claimsOf(request: SignRequest, iss: string): object {
  return { ...request.message.sign.sign_body, ...signedTimes(Date.now()), iss }
}

function resigned(
  wallet: ScriptedWallet,
  origin: string,
  header: object,
  signature: (input: Buffer) => Buffer,
): LoginBody {
  const { request } = createSignInCode(origin)
  const jws = composeJws({ kid: wallet.kid, ...header }, claimsOf(request, wallet.kid), signature)
  return { id: request.message.id, jws, did: wallet.did }
}
