/**
 * The callers that may make a call, and the objects it may concern:
 * - `anyone`: without a session.
 * - `self`: a signed-in account, about itself alone: nothing of another account is in the answer or changed.
 * - `list`: a signed-in account; the answer holds its own objects, for an Admin those of all.
 * - `object`: the owner of the object and an Admin; to others the object does not exist.
 * - `ownersOnly`: the owner of the object; an Admin, who sees it, is refused; to others it does not exist.
 * - `private`: the owner of the object; to everybody else, Admins too, it does not exist.
 * - `staff`: support and operators; to everybody else, Admins too, there is no such call.
 * - `operator`: operators; support is refused, to everybody else there is no such call.
 */
export type Reach = 'anyone' | 'self' | 'list' | 'object' | 'ownersOnly' | 'private' | StaffReach
export type StaffReach = 'staff' | 'operator'

/** Whether a call of this reach needs an account's session. */
export function needsSession(reach: Reach): boolean {
  return reach !== 'anyone'
}

/** Whether a call of this reach is the staff's, and no customer's. */
export function isStaffReach(reach: Reach): reach is StaffReach {
  return reach === 'staff' || reach === 'operator'
}
