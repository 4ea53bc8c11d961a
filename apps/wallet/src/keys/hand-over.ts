/**
 * Takes the vault from a former origin of this wallet to the present one (`now`). Keys live in an origin's storage,
 * which no page of another one can read, so the tab goes back and forth; both origins know each other from the server's
 * configuration, never from an address:
 *
 *   former  /move      its owner, whose wallet is open, agrees                 → now/receive #from #pass
 *   now     /receive   makes a pair of keys                                    → former/move #pass #key
 *   former  /move      gave this pass: seals vault and receipt to the key      → now/receive #box
 *   now     /receive   opens the box, its owner's passcode the vault; keeps it → former/move #receipt
 *   former  /move      sent this receipt, and all is still as it was sent: deletes it
 *
 * Fragments reach no server, but a browser's history keeps them: a box opens with the private key alone, which stays
 * in its tab and is forgotten there after its use. Without the pass, a link from somebody else could name a key of
 * theirs. The vault stays sealed with its passcode throughout. Cut off anywhere, the former origin still has it, and
 * the move can begin again.
 */
import { base64, base64urlnopad } from '@scure/base'
import { z } from 'zod'
import { type Bytes, randomBytes, toBytes } from './cipher.ts'
import { readVaultFile, type TextStorage, VaultFile, vaultStorageKey } from './vault-file.ts'

/** Under this name the page of one side remembers something in its tab while the other side has its turn. */
const sessionKey = 'atoll_wallet_hand_over'
const Agreed = z.object({ pass: z.string() })
const Sent = z.object({ receipt: z.string(), vault: z.string(), belongings: z.string() })
const Awaited = z.object({ from: z.string(), privateKey: z.string() })
const Content = z.object({ receipt: z.string(), vault: VaultFile, belongings: z.unknown() })
/** Opened; `from`: the former origin. */
export type HandOver = z.infer<typeof Content> & { from: string }

const wrapping = { name: 'RSA-OAEP', hash: 'SHA-256' }
const wrappedLength = 256
const sealing = { name: 'AES-GCM', length: 256 }
const ivLength = 12

/** At the former origin, when its owner agrees. @returns the pass */
export function agree(session: TextStorage): string {
  const pass = randomToken()
  remember(session, { pass })
  return pass
}

/** At the present origin. @returns the public key */
export async function awaitBox(session: TextStorage, from: string): Promise<string> {
  const parameters = { ...wrapping, modulusLength: wrappedLength * 8, publicExponent: new Uint8Array([1, 0, 1]) }
  const pair = await crypto.subtle.generateKey(parameters, true, ['wrapKey', 'unwrapKey'])
  const privateKey = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey))
  remember(session, { from, privateKey: base64.encode(privateKey) })
  return base64urlnopad.encode(new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey)))
}

/** At the former origin. @returns the box; undefined for a pass that it did not give, or gave before. */
export async function packBox(
  { session, storage }: { session: TextStorage; storage: TextStorage },
  { pass, key }: { pass: string; key: string },
  belongings: unknown,
): Promise<string | undefined> {
  const vault = readVaultFile(storage)
  if (recall(session, Agreed)?.pass !== pass || vault === 'none' || vault === 'damaged') return undefined
  const receipt = randomToken()
  remember(session, { receipt, vault: storage.getItem(vaultStorageKey), belongings: JSON.stringify(belongings) })
  const publicKey = await crypto.subtle.importKey('spki', fromUrl(key), wrapping, false, ['wrapKey'])
  const once = await crypto.subtle.generateKey(sealing, true, ['encrypt'])
  const wrapped = new Uint8Array(await crypto.subtle.wrapKey('raw', once, publicKey, wrapping))
  const iv = randomBytes(ivLength)
  const content = new TextEncoder().encode(JSON.stringify({ receipt, vault, belongings }))
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ ...sealing, iv }, once, content))
  return base64urlnopad.encode(new Uint8Array([...wrapped, ...iv, ...sealed]))
}

/** At the present origin. @returns undefined for a box that was not awaited in this tab. */
export async function openBox(session: TextStorage, box: string): Promise<HandOver | undefined> {
  const awaited = recall(session, Awaited)
  if (!awaited) return undefined
  try {
    const bytes = fromUrl(box)
    const privateKey = await crypto.subtle.importKey('pkcs8', toBytes(awaited.privateKey), wrapping, false, [
      'unwrapKey',
    ])
    const wrapped = bytes.subarray(0, wrappedLength)
    const once = await crypto.subtle.unwrapKey('raw', wrapped, privateKey, wrapping, sealing, false, ['decrypt'])
    const iv = bytes.subarray(wrappedLength, wrappedLength + ivLength)
    const content = await crypto.subtle.decrypt({ ...sealing, iv }, once, bytes.subarray(wrappedLength + ivLength))
    return { ...Content.parse(JSON.parse(new TextDecoder().decode(content))), from: awaited.from }
  } catch {
    // Made for another key or cut short, which the page says.
    return undefined
  }
}

/**
 * At the former origin. `kept`: what was sent is kept at the other one and still all there is here, so it can go.
 * `changed`: it changed since. `unknown`: nothing with this receipt was sent.
 */
export function checkReceipt(
  { session, storage }: { session: TextStorage; storage: TextStorage },
  receipt: string,
  belongings: unknown,
) {
  const sent = recall(session, Sent)
  if (sent?.receipt !== receipt) return 'unknown'
  const isSame = storage.getItem(vaultStorageKey) === sent.vault && JSON.stringify(belongings) === sent.belongings
  return isSame ? 'kept' : 'changed'
}

function remember(session: TextStorage, value: unknown): void {
  session.setItem(sessionKey, JSON.stringify(value))
}

/** Answers once with that which was remembered. */
function recall<T>(session: TextStorage, shape: z.ZodType<T>): T | undefined {
  const text = session.getItem(sessionKey)
  session.removeItem(sessionKey)
  return text === null ? undefined : shape.safeParse(JSON.parse(text)).data
}

const randomToken = () => base64urlnopad.encode(randomBytes(32))

function fromUrl(text: string): Bytes {
  return new Uint8Array(base64urlnopad.decode(text))
}
