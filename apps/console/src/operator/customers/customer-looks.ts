import type { BadgeColour, BadgeShape } from '@atoll/contract/clusters'
import type { CustomerState } from '@atoll/contract/staff'
import type { TextKey } from '../../locales/text.ts'

export const customerLooks: Record<CustomerState, { label: TextKey; colour: BadgeColour; shape: BadgeShape }> = {
  active: { label: 'operator.stateActive', colour: 'green', shape: 'disc' },
  pastDue: { label: 'operator.statePastDue', colour: 'amber', shape: 'hollow' },
  suspended: { label: 'operator.stateSuspended', colour: 'coral', shape: 'square' },
  closing: { label: 'operator.stateClosing', colour: 'grey', shape: 'square' },
}
