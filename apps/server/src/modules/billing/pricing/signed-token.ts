import type { Sealer } from '../../../platform/crypto.ts'
import type { DerivedUse } from '../../../platform/key-uses.ts'

type TokenUse = Extract<DerivedUse, 'estimate' | 'refund estimate'>

/** `value` as a token that only we can have made; `purpose` keeps it from being taken for another kind. */
export function signToken(sealer: Pick<Sealer, 'derive'>, purpose: TokenUse, value: object): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${body}.${signatureOf(sealer, purpose, body)}`
}

/** The content of a token that we signed: JSON, possibly of an older version; undefined for any other token. */
export function openToken(sealer: Pick<Sealer, 'accepts'>, purpose: TokenUse, token: string): unknown {
  const [body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !sealer.accepts(purpose, body, signature)) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
}

/** Over the body as it is sent, so that what decodes to the same but is written otherwise is not ours. */
function signatureOf(sealer: Pick<Sealer, 'derive'>, purpose: TokenUse, body: string): string {
  return sealer.derive(purpose, body)
}
