/** Objects that exist outside and that no row names: one list and one way to remove them, for every driver. */
export { doomStrays, isStrayDoomed, listStrays, recountStrays, type StrayKind } from './stray-store.ts'
export { decideStray, type StrayPlace, tendStrays } from './tend-strays.ts'
