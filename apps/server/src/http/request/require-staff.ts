import { isStaffReach, type Reach, type StaffRole } from '@atoll/contract/wire'
import { refuse } from '../../platform/refusal.ts'

/** Without a staff role, staff calls are answered like unknown addresses. */
export function requireStaff(reach: Reach, staff: StaffRole | undefined, path: string): void {
  if (!isStaffReach(reach)) return
  if (staff === undefined) refuse('callUnknown', { path })
  if (reach === 'operator' && staff !== 'operator') refuse('operatorOnly')
}
