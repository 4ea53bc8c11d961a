import { type BackupSchedule, isSlotShared } from '@atoll/contract/backups'

interface Named {
  name: string
  schedule: BackupSchedule
}

/**
 * How a plan fits beside the others of its new cluster: by another name where its own is taken, and in its slot or not.
 */
export function fitBeside(others: readonly Named[], plan: Named): { name: string; isSlotFree: boolean } {
  const isTaken = (name: string) => others.some((other) => other.name.toLowerCase() === name.toLowerCase())
  let name = plan.name
  for (let number = 2; isTaken(name); number += 1) name = `${plan.name.slice(0, 56)} ${number}`
  return { name, isSlotFree: !others.some((other) => isSlotShared(other.schedule, plan.schedule)) }
}
