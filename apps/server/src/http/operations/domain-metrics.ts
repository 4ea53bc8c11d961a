import { byLabel, type Measurement } from './measurements.ts'

/** Figures about customers' domains and their certificates. */
export interface MeasuredDomains {
  /** Our name servers, and whether each answers. */
  nameServers(): readonly { server: string; isUp: boolean }[]
  /** Looks at DNS by this process, by what they found. */
  checks(): Readonly<Record<'passed' | 'waiting' | 'failed', number>>
  certificates(): Promise<{
    orders: readonly { state: string; count: number }[]
    /** Of the certificate that ends first; undefined: there is none. */
    secondsToExpiry: number | undefined
  }>
}

/** The metrics of customers' domains in `/metrics`. */
export function domainMeasurements({ nameServers, checks, certificates }: MeasuredDomains): Measurement[] {
  return [
    {
      name: 'atoll_name_server_up',
      help: '1 for each of our name servers that answers, 0 for one that is silent.',
      labelNames: ['server'],
      read: () => nameServers().map(({ server, isUp }) => [isUp ? 1 : 0, { server }]),
    },
    {
      isCounter: true,
      name: 'atoll_domain_checks_total',
      help: "Looks at customers' DNS by this process: what was awaited is there, is not, or the look itself failed.",
      labelNames: ['outcome'],
      read: () => byLabel('outcome', checks()),
    },
    {
      name: 'atoll_certificate_orders',
      help: 'Orders at the certification authority that are open, and those of 30 days that were issued or failed.',
      labelNames: ['state'],
      read: async () => (await certificates()).orders.map(({ state, count }) => [count, { state }]),
    },
    {
      name: 'atoll_certificate_expiry_seconds',
      help: 'Until the certificate that ends first does; below 0 since it did; none: there is no certificate.',
      labelNames: ['scope'],
      async read() {
        const { secondsToExpiry } = await certificates()
        return secondsToExpiry === undefined ? [] : [[secondsToExpiry, { scope: 'domains' }]]
      },
    },
  ]
}
