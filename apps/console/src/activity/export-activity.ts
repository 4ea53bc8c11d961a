import { type AuditFilter, auditExportPath } from '@atoll/contract/audit'
import { readAnswer } from '../data/answer.ts'
import { CallFailure } from '../data/call-failure.ts'
import { apiBase } from '../data/config/runtime-config.ts'
import { formBody } from '../data/form-body.ts'
import { announceSignedOut } from '../data/signed-out.ts'
import { currentLocale } from '../kit/i18n/language.ts'
import { currentAccount } from '../session/account-store.ts'

/** Asks for the log as CSV and gives it to the browser to save. Throws `CallFailure`, also when it breaks off. */
export async function exportActivity(filter: AuditFilter): Promise<void> {
  const account = currentAccount()
  const locale = currentLocale()
  const response = await fetch(apiBase(locale) + auditExportPath, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Accept-Language': locale,
      ...(account && { userid: account.userid, token: account.token }),
    },
    body: formBody(filter),
  }).catch(failed)
  if (!response.headers.get('content-type')?.startsWith('text/csv')) {
    const answer = readAnswer(response.status, await response.text().catch(failed))
    if (!answer.ok && answer.kind === 'signedOut') announceSignedOut(account)
    throw new CallFailure({ kind: 'network', ...(!answer.ok && answer), path: auditExportPath })
  }
  save(await response.blob().catch(failed))
}

function failed(cause: unknown): never {
  throw new CallFailure({ kind: 'network', path: auditExportPath, cause })
}

function save(file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = `activity-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  // The browser has taken hold of the file before the next task.
  setTimeout(() => URL.revokeObjectURL(url))
}
