/** The parts that a person meets first: an account with nothing, some clusters, an order and the wallet’s pages. */
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { clustersOf, describeParts, orders, testEmptyAccount, walletPages } from './crawl-parts.ts'

const every = 8

describeParts([clustersOf(sampleClusters.filter((_, at) => at % every === 0)), orders, walletPages])
testEmptyAccount()
