import { fillText } from '@atoll/texts/fill-text'
import { mailTexts } from '@atoll/texts/mails'
import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

const Row = z.object({ label: z.string(), value: z.string(), notes: z.array(z.string()).optional() })

/** A mail of billing, with its text already composed: the invoice and its names may change before it is sent. */
export const billingMail = defineMail({
  kind: 'billing',
  params: z.object({
    account: z.string(),
    subject: z.string(),
    preview: z.string(),
    heading: z.string(),
    before: z.array(z.string()),
    facts: z.array(z.object({ label: z.string(), value: z.string() })).optional(),
    table: z.object({ rows: z.array(Row), total: Row.optional() }).optional(),
    /** A page of the console. */
    action: z.object({ label: z.string(), path: z.string().startsWith('/') }).optional(),
    after: z.array(z.string()),
    /** The invoice whose PDF is attached. */
    pdfOf: z.string().optional(),
  }),
  compose: ({ account, ...body }, _site, locale) => ({
    ...body,
    reason: fillText(mailTexts[locale].billing.reason, { account }),
  }),
})
