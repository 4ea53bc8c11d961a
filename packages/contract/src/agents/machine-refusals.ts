/**
 * Why the agent of a machine is refused though its token is right; each with the code that closes its channel (4000 to
 * 4999 are the application's own: RFC 6455, 7.4.2). The edge answers a dial with 403 and the word as
 * `machineRefusalHeader`.
 *   machineReplaced  another machine took its place, for good
 *   machineCopied    its disk is a copy of the one that serves, or the other way round, until its owner chooses it
 */
export const machineRefusalCodes = { machineReplaced: 4010, machineCopied: 4011 } as const
export type MachineRefusal = keyof typeof machineRefusalCodes
export const machineRefusals = Object.keys(machineRefusalCodes) as [MachineRefusal, ...MachineRefusal[]]
export const machineRefusalHeader = 'atoll-refusal'
