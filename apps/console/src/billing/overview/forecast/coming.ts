import type { BillingMailKind, ForecastMail, forecast } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'

type Document = CallData<typeof forecast>['documents'][number]

/** What happens at one moment: a bill with the mails that come with it, or mails alone. */
export interface Coming<Bill> {
  at: string
  document?: Bill
  mails: BillingMailKind[]
}

/**
 * Bills and mails in the order in which they come; mails of the moment of several bills stand with the last of them.
 */
export function comingOf<Bill extends Pick<Document, 'at'>>(
  documents: readonly Bill[],
  mails: readonly Pick<ForecastMail, 'at' | 'kind'>[],
): Coming<Bill>[] {
  const billed = new Set(documents.map(({ at }) => at))
  const mailsAt = (when: string) => mails.filter(({ at }) => at === when).map(({ kind }) => kind)
  const bills = documents.map((document, place) => {
    const isLast = documents[place + 1]?.at !== document.at
    return { at: document.at, document, mails: isLast ? mailsAt(document.at) : [] }
  })
  const moments = [...new Set(mails.map(({ at }) => at))]
  const alone = moments.filter((at) => !billed.has(at)).map((at) => ({ at, mails: mailsAt(at) }))
  return [...bills, ...alone].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
