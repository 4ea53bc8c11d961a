/** The relay: hosts dial out, and visitors reach them over what they dialled (ADR 0011). */

export { type FrpsPluginDeps, frpsPlugin, frpsPluginPath } from './frps-plugin.ts'
export { createRelay, type Relay, type RelayDeps, type RelayEndpoint } from './relay.ts'
export type { Frps } from './settings.ts'
