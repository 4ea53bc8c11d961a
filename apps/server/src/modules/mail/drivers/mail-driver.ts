/** A mail as it leaves: both forms of its body, and an id that is the same at every attempt. */
export interface OutgoingMail {
  /** Without angle brackets; unique in the world. */
  messageId: string
  /** One address, checked before. */
  to: string
  subject: string
  html: string
  text: string
  attachments?: readonly MailAttachment[]
  /** When it was written; the same at every attempt. */
  date: Date
  /** Of a mail that its addressee may do without: where one press, or a request of the mail program, ends its kind. */
  unsubscribeUrl?: string
}

export interface MailAttachment {
  filename: string
  content: Buffer
  contentType: string
}

/** The message for nodemailer: with the headers by which a mail program offers to unsubscribe (RFC 8058). */
export function composedOf({ unsubscribeUrl, messageId, attachments = [], ...mail }: OutgoingMail, from: string) {
  const headers = unsubscribeUrl !== undefined && {
    headers: { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
  return { ...mail, ...headers, attachments: [...attachments], from, messageId: `<${messageId}>` }
}

/** Takes a mail in. `deliver` may be called again with a mail that was taken: after a crash nobody knows. */
export interface MailDriver {
  /** Throws `MailRefused` when trying again is useless; any other error means later. */
  deliver(mail: OutgoingMail): Promise<void>
  close(): void
}

/** The receiving side will not have this mail, now or later: no such mailbox, a sender it does not serve. */
export class MailRefused extends Error {
  override name = 'MailRefused'
}
