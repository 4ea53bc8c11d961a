/** The relay: hosts dial out, and visitors reach them over what they dialled (ADR 0011). */

export { frpsPlugin } from './frps-plugin.ts'
export { createRelay, type Relay, type RelayDeps } from './relay.ts'
export type { Frps } from './settings.ts'
