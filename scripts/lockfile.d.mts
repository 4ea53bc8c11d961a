export interface LockedPackage {
  version?: string
  integrity?: string
}
export type LockedPackages = Readonly<Record<string, LockedPackage>>
export function readPackages(file: string): LockedPackages
export function reachablePackages(
  packages: LockedPackages,
  starts: readonly string[],
  options?: { development?: boolean },
): string[]
