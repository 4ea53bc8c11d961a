/** The verdict on a wanted ID before it is bound: its form at once, whether it is taken after asking. */
export type NameFault = 'short' | 'long' | 'characters'

/** 2 to 63 lowercase letters and digits (design/domains). An empty name is not judged. */
export function findNameFault(local: string): NameFault | undefined {
  if (local === '') return undefined
  if (!/^[a-z0-9]*$/.test(local)) return 'characters'
  if (local.length < 2) return 'short'
  return local.length > 63 ? 'long' : undefined
}
