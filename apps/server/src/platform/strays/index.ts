/** What is outside and no row names: one list and one way to take it away, for every driver. */
export { doomStrays, isStrayDoomed, listStrays, recountStrays, type StrayKind } from './stray-store.ts'
export { decideStray, type StrayPlace, tendStrays } from './tend-strays.ts'
