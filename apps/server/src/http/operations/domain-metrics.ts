import { Counter, Gauge, type Registry } from 'prom-client'

/** What is measured of customers' domains and their certificates. */
export interface MeasuredDomains {
  /** Looks at DNS by this process, by what they found. */
  checks(): Readonly<Record<'passed' | 'waiting' | 'failed', number>>
  certificates(): Promise<{
    orders: readonly { state: string; count: number }[]
    /** Of the certificate that ends first; undefined: there is none. */
    daysToExpiry: number | undefined
  }>
}

/** Registers the measurements of domains. `onFailure` is called for each that could not be taken. */
export function addDomainMetrics(registry: Registry, measured: MeasuredDomains, onFailure: () => void): void {
  const registers = [registry]
  new Counter({
    name: 'atoll_domain_checks_total',
    help: "Looks at customers' DNS by this process: what was awaited is there, is not, or the look itself failed.",
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(measured.checks())) this.inc({ outcome }, count)
    },
  })
  new Gauge({
    name: 'atoll_certificate_orders',
    help: 'Orders at the certification authority that are open, and those of 30 days that were issued or failed.',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      try {
        for (const { state, count } of (await measured.certificates()).orders) this.set({ state }, count)
      } catch {
        onFailure()
      }
    },
  })
  new Gauge({
    name: 'atoll_certificate_days_to_expiry',
    help: 'Days until the certificate that ends first does; none: there is no certificate.',
    registers,
    // Without a label it would be 0 where there is nothing.
    labelNames: ['scope'],
    async collect() {
      this.reset()
      try {
        const { daysToExpiry } = await measured.certificates()
        if (daysToExpiry !== undefined) this.set({ scope: 'domains' }, daysToExpiry)
      } catch {
        onFailure()
      }
    },
  })
}
