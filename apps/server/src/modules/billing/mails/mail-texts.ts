import type { MailFacts, MailKindName } from './mail-facts.ts'
import type { Figures } from './mail-figures.ts'
import type { MailTable } from './mail-tables.ts'

/** The parts of a mail, except the reason why it was sent. */
export interface MailWords {
  subject: string
  /** Shown in lists beside the subject. */
  preview: string
  heading: string
  before: string[]
  facts?: { label: string; value: string }[]
  table?: MailTable
  /** The one button: a page of the console. */
  action?: { label: string; path: string }
  after: string[]
  /** The invoice whose PDF is attached. */
  pdfOf?: string
}

export type MailTexts = { [Kind in MailKindName]: (facts: MailFacts[Kind], figures: Figures) => MailWords }

/** A mail whose subject says what its heading does, and whose first sentence is its preview. */
export function plainMail(
  heading: string,
  before: readonly [string, ...string[]],
  more: Partial<Pick<MailWords, 'facts' | 'table' | 'action' | 'after' | 'pdfOf'>> = {},
): MailWords {
  const { after = [], ...shown } = more
  return { subject: heading, preview: before[0], heading, before: [...before], ...shown, after }
}
