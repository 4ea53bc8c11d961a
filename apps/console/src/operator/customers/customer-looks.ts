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

export const mailStateWords: Record<MailState, TextKey> = {
  waiting: 'operator.mailState.waiting',
  sent: 'operator.mailState.sent',
  delayed: 'operator.mailState.delayed',
  failed: 'operator.mailState.failed',
}
