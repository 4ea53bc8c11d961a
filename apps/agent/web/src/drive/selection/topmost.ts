import type { DriveFound } from '@atoll/contract/personal-server'
import { isWithin } from '../paths.ts'

/** Without what lies in a folder that is among them: it goes wherever that goes. */
export function topmost(items: readonly DriveFound[]): DriveFound[] {
  return items.filter((item) => !items.some((other) => other !== item && isWithin(item.path, other.path)))
}
