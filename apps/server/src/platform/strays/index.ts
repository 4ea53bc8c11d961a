/** Objects that exist outside and that no row names: one list and one way to remove them, for every driver. */

export { decideStray, maintainStrays, type StrayPlace } from './maintain-strays.ts'
export { doomStrays, isStrayDoomed, listStrays, recountStrays, type StrayKind } from './stray-store.ts'
