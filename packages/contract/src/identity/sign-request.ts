/**
 * The text inside a QR code: `space://` + base64url(JSON) (wire, "Login by QR"). The console and the activation wizard
 * write it, the wallet reads it.
 */
import { z } from 'zod'
import { DidOrKeyId, Millis } from '../wire/fields.ts'

const SignBody = z.looseObject({
  did: DidOrKeyId.optional(),
  secret: z.string().regex(/^[0-9a-f]{32}$/),
  time: Millis,
})

/** Events this deployment's wallet can explain to a person; others are declined. */
export const signEvents = ['login_cloud', 'activate_os'] as const

/**
 * A code whose `event` is not a sign-in repeats it in `sign_body`, so that the signature names its purpose: otherwise
 * the receiver of the signature could hand it in as a sign-in.
 */
export const SignRequest = z
  .looseObject({
    topic: z.literal('sign'),
    event: z.enum(signEvents),
    message: z.looseObject({
      id: z.string().max(128),
      data: SignBody,
      sign: z.looseObject({ callback_url: z.url({ protocol: /^https?$/ }), sign_body: SignBody }),
    }),
  })
  .refine(({ event, message }) => (message.sign.sign_body['event'] ?? 'login_cloud') === event, {
    path: ['message', 'sign', 'sign_body', 'event'],
    message: 'must name the event that is signed',
  })
export type SignRequest = z.infer<typeof SignRequest>

const scheme = 'space://'

/** The text of the QR: base64url without padding over UTF-8 JSON. */
export const encodeSignRequest = (request: SignRequest): string => encodeCode(request)

/** Any object as the text of a code. */
export function encodeCode(content: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(content))
  const base64 = btoa(String.fromCharCode(...bytes))
  return scheme + base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * Reads a scanned or pasted text; standard base64 with padding decodes too. A text that is not a sign request, or not
 * one we know, is `undefined`: the caller says so to the person.
 */
export function decodeSignRequest(text: string): SignRequest | undefined {
  return SignRequest.safeParse(decodeCode(text)).data
}

/** The JSON in the text of a code, whatever it is; undefined: there is none. */
export function decodeCode(text: string): unknown {
  const trimmed = text.trim()
  if (!trimmed.startsWith(scheme) || trimmed.length > 8192) return undefined
  try {
    const base64 = trimmed.slice(scheme.length).replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/**
 * Opens a code in the web wallet of this deployment, for a person whose wallet is on the same device. The code stands
 * in the fragment, which no server sees. `walletUrl` without a trailing slash.
 */
export function walletLink(walletUrl: string, code: string): string {
  return `${walletUrl}/approve#${codeToFragment(code)}`
}

/** A code without its scheme, as it stands in the fragment of a `walletLink`. */
export function codeToFragment(code: string): string {
  return code.trim().slice(scheme.length)
}

/** The code in the fragment of a `walletLink`. */
export function codeFromFragment(fragment: string): string {
  return scheme + fragment.replace(/^#/, '')
}
