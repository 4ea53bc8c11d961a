import { isStaffReach, type Reach, type StaffRole } from '@atoll/contract/wire'
import { refuse } from '../../platform/refusal.ts'

/** To whoever has no staff role, a call of the staff's is answered as an address that there is not. */
export function requireStaff(reach: Reach, staff: StaffRole | undefined, path: string): void {
  if (!isStaffReach(reach)) return
  if (staff === undefined) refuse('callUnknown', { path })
  if (reach === 'operator' && staff !== 'operator') refuse('operatorOnly')
}
