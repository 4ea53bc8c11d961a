import type { Measurement } from './measurements.ts'

/** Figures about each PowerDNS. */
export interface MeasuredPowerDns {
  /** The address of its API. */
  server: string
  current: number
  behind: number
  calls: Readonly<Record<string, number>>
  repairs: number
}

/** The metrics of each PowerDNS in `/metrics`. */
export function powerDnsMeasurements(measure: () => Promise<readonly MeasuredPowerDns[]>): Measurement[] {
  return [
    {
      name: 'atoll_powerdns_zones',
      help: 'Zones that each PowerDNS has as they should be (current), and those that it has otherwise (behind).',
      labelNames: ['server', 'state'],
      read: async () =>
        (await measure()).flatMap(({ server, current, behind }) => [
          [current, { server, state: 'current' }],
          [behind, { server, state: 'behind' }],
        ]),
    },
    {
      isCounter: true,
      name: 'atoll_powerdns_calls_total',
      help: 'Questions of this process to each PowerDNS: done, away (no answer) or refused.',
      labelNames: ['server', 'outcome'],
      read: async () =>
        (await measure()).flatMap(({ server, calls }) =>
          Object.entries(calls).map(([outcome, count]) => [count, { server, outcome }] as const),
        ),
    },
    {
      isCounter: true,
      name: 'atoll_powerdns_repairs_total',
      help: 'Zones that somebody changed in PowerDNS, found and put right by this process.',
      labelNames: ['server'],
      read: async () => (await measure()).map(({ server, repairs }) => [repairs, { server }]),
    },
  ]
}
