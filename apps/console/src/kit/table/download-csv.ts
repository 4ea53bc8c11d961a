import { readAnswer } from '../../data/answer.ts'
import { CallFailure } from '../../data/call-failure.ts'
import { apiBase } from '../../data/config/runtime-config.ts'
import { formBody } from '../../data/form-body.ts'
import { announceSignedOut } from '../../data/signed-out.ts'
import { currentAccount } from '../../session/account-store.ts'
import { currentLocale } from '../i18n/language.ts'

/**
 * Asks an export's `path` for what `body` matches and gives it to the browser to save as `name` and the day. Throws
 * `CallFailure`, also when it breaks off.
 */
export async function downloadCsv(path: `/${string}`, body: Record<string, unknown>, name: string): Promise<void> {
  const account = currentAccount()
  const locale = currentLocale()
  const failed = (cause: unknown): never => {
    throw new CallFailure({ kind: 'network', path, cause })
  }
  const response = await fetch(apiBase(locale) + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Accept-Language': locale,
      ...(account && { userid: account.userid, token: account.token }),
    },
    body: formBody(body),
  }).catch(failed)
  if (!response.headers.get('content-type')?.startsWith('text/csv')) {
    const answer = readAnswer(response.status, await response.text().catch(failed))
    if (!answer.ok && answer.kind === 'signedOut') announceSignedOut(account)
    throw new CallFailure({ kind: 'network', ...(!answer.ok && answer), path })
  }
  save(await response.blob().catch(failed), `${name}-${new Date().toISOString().slice(0, 10)}.csv`)
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken hold of the file before the next task.
  setTimeout(() => URL.revokeObjectURL(url))
}
