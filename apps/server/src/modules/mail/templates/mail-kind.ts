import type { Locale } from '@atoll/contract/wire'
import type { z } from 'zod'
import type { MailBody, MailSite } from './mail-frame.ts'

/** One kind of mail: what it needs to know, and what it says to a reader of `locale`. */
export interface MailKind<Params extends z.ZodType = z.ZodType> {
  kind: string
  params: Params
  /** `pdfOf`: the invoice whose PDF is attached. */
  compose(
    params: z.output<Params>,
    site: MailSite,
    locale: Locale,
  ): MailBody & { subject: string; pdfOf?: string | undefined }
}

export function defineMail<Params extends z.ZodType>(kind: MailKind<Params>): MailKind<Params> {
  return kind
}
