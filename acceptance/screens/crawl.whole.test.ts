/** Every page, of whose situations half are opened: most of what they show is the same. */
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { sampleDomainPath } from '../stack/samples/sample-domains.ts'
import { clustersOf, describeParts, orders, testOtherPages, walletPages } from './crawl-parts.ts'

/** One of each layout. */
const domainPaths = [
  ...(['handing', 'applying', 'inUse'] as const).map((which) => sampleDomainPath(which)),
  sampleDomainPath('proving', 'domainMobile'),
]

const parts = [
  clustersOf(sampleClusters.filter((_, at) => at % 2 === 0)),
  { name: 'the instances', paths: ['/instance'], pages: /^\/instance\b/ },
  orders,
  { name: 'the domains', paths: ['/domains', ...domainPaths], pages: /^\/domain/ },
  { name: 'the pages of money', paths: ['/billing'], pages: /^\/(bill|usage|payment|subscriptions|balanceDetail)/ },
  { name: 'the backups', paths: ['/backup'], pages: /^\/backup/ },
  walletPages,
]

describeParts(parts)
testOtherPages(parts)
