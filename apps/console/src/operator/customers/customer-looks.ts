import type { MailState } from '@atoll/contract/accounts'
import type { CustomerState } from '@atoll/contract/staff'
import type { DocumentLook } from '../../billing/shared/document-looks.ts'
import type { TextKey } from '../../locales/text.ts'

export const customerLooks: Record<CustomerState, DocumentLook> = {
  active: { label: 'operator.stateActive', colour: 'green', shape: 'disc' },
  pastDue: { label: 'operator.statePastDue', colour: 'amber', shape: 'hollow' },
  suspended: { label: 'operator.stateSuspended', colour: 'coral', shape: 'square' },
  closing: { label: 'operator.stateClosing', colour: 'grey', shape: 'square' },
}

/** By the kind of a mail. */
export const mailKindWords: Readonly<Record<string, TextKey>> = {
  account: 'operator.mailKind.account',
  alert: 'operator.mailKind.alert',
  announcement: 'operator.mailKind.announcement',
  backup: 'operator.mailKind.backup',
  billing: 'operator.mailKind.billing',
  domain: 'operator.mailKind.domain',
  emailCode: 'operator.mailKind.emailCode',
  emailUnlinked: 'operator.mailKind.emailUnlinked',
  staff: 'operator.mailKind.staff',
  staffMessage: 'operator.mailKind.staffMessage',
  suspended: 'operator.mailKind.suspended',
}

export const mailStateWords: Record<MailState, TextKey> = {
  waiting: 'operator.mailState.waiting',
  sent: 'operator.mailState.sent',
  delayed: 'operator.mailState.delayed',
  failed: 'operator.mailState.failed',
}
