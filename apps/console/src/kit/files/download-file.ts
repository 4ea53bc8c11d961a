import { apiBase } from '../../config/runtime-config.ts'
import { readAnswer } from '../../data/answer.ts'
import { CallFailure } from '../../data/call-failure.ts'
import { formBody } from '../../data/form-body.ts'
import { announceSignedOut } from '../../data/signed-out.ts'
import { currentLocale } from '../../locales/language.ts'
import { credentialsOf } from '../../session/account.ts'
import { currentAccount } from '../../session/account-store.ts'

export interface WantedFile {
  path: `/${string}`
  /** The body of a POST; undefined: GET. */
  body?: Record<string, unknown>
  /** As it is answered: 'text/csv'. Whatever is answered in another type says why there is none. */
  type: string
  /** The file name for the browser. */
  name: string
}

/**
 * Asks for a file as the current account and gives it to the browser to save. Throws `CallFailure`, also when it
 * breaks off.
 */
export async function downloadFile({ path, body, type, name }: WantedFile): Promise<void> {
  const account = currentAccount()
  const locale = currentLocale()
  const failed = (cause: unknown): never => {
    throw new CallFailure({ kind: 'network', path, cause })
  }
  const response = await fetch(apiBase(locale) + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      'Accept-Language': locale,
      ...(account && credentialsOf(account)),
    },
    ...(body && { body: formBody(body) }),
  }).catch(failed)
  const file = await response.blob().catch(failed)
  if (!response.headers.get('content-type')?.startsWith(type) || (await isEnvelope(file, type))) {
    const answer = readAnswer(response.status, await file.text())
    if (!answer.ok && answer.kind === 'signedOut') announceSignedOut(account)
    throw new CallFailure({ kind: 'network', ...(!answer.ok && answer), path })
  }
  saveFile(file, name)
}

/** A file of JSON and a refusal have the same type; only the refusal has a code. */
async function isEnvelope(file: Blob, type: string): Promise<boolean> {
  if (type !== 'application/json') return false
  const { code } = JSON.parse(await file.text())
  return typeof code === 'number'
}

/** Today, for the name of a file that changes: `2026-09-19`. */
export function fileDay(): string {
  return new Date().toISOString().slice(0, 10)
}

/** Gives `file` to the browser to save as `name`. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken hold of the file before the next task.
  setTimeout(() => URL.revokeObjectURL(url))
}
