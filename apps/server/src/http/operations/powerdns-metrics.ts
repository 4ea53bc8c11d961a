import { Counter, Gauge, type Registry } from 'prom-client'

/** What is measured of each PowerDNS. */
export interface MeasuredPowerDns {
  /** The address of its API. */
  server: string
  current: number
  behind: number
  calls: Readonly<Record<string, number>>
  repairs: number
}

/** Registers the measurements of PowerDNS. `onFailure` is called for each that could not be taken. */
export function addPowerDnsMetrics(
  registry: Registry,
  measure: () => Promise<readonly MeasuredPowerDns[]>,
  onFailure: () => void,
): void {
  const registers = [registry]
  const each = async (write: (one: MeasuredPowerDns) => void) => {
    try {
      for (const one of await measure()) write(one)
    } catch {
      onFailure()
    }
  }
  new Gauge({
    name: 'atoll_powerdns_zones',
    help: 'Zones that each PowerDNS has as they should be (current), and those that it has otherwise (behind).',
    labelNames: ['server', 'state'],
    registers,
    async collect() {
      this.reset()
      await each(({ server, current, behind }) => {
        this.set({ server, state: 'current' }, current)
        this.set({ server, state: 'behind' }, behind)
      })
    },
  })
  new Counter({
    name: 'atoll_powerdns_calls_total',
    help: 'Questions of this process to each PowerDNS: done, away (no answer) or refused.',
    labelNames: ['server', 'outcome'],
    registers,
    async collect() {
      this.reset()
      await each(({ server, calls }) => {
        for (const [outcome, count] of Object.entries(calls)) this.inc({ server, outcome }, count)
      })
    },
  })
  new Counter({
    name: 'atoll_powerdns_repairs_total',
    help: 'Zones that somebody changed in PowerDNS, found and put right by this process.',
    labelNames: ['server'],
    registers,
    async collect() {
      this.reset()
      await each(({ server, repairs }) => this.inc({ server }, repairs))
    },
  })
}
