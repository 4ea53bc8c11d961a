/** Orders of one machine at 14.40 dollars a month, with a coupon typed or not. */
import type { Trx } from '../../../../../platform/db/index.ts'
import { type CatalogOffering, termsOfOffering } from '../../../../catalog/index.ts'
import { estimateAmount } from '../../../sell/estimate-service.ts'
import type { Ordered } from '../../../sell/place-order.ts'
import { sellInstances } from '../../../sell/sell-instances.ts'
import type { Harness } from '../../../testing/billing-harness.ts'

const bay: CatalogOffering = {
  name: 'bay-4',
  title: { 'en-US': 'Bay 4', 'zh-CN': '海湾 4' },
  price: { usd: 1440 },
  soldOutIn: [],
  cpuCoreCount: 4,
  memoryMiB: 512,
  diskMiB: 1024,
}
const words = { 'en-US': 'Bay', 'zh-CN': '海湾' }
const request = (couponCode?: string) => ({ kind: 'cluster' as const, offering: 'bay-4', couponCode })

export const typedOrders = {
  cloud: {
    cloudName: 'bay',
    driver: 'process' as const,
    title: words,
    offerings: [bay],
    regions: [{ regionId: 'bay', title: words, place: words }],
  },
  estimate: (harness: Harness, couponCode?: string) =>
    estimateAmount(harness.deps, harness.userid, request(couponCode)),
  order: (harness: Harness, couponCode?: string, estimateToken?: string) =>
    harness.transact((trx) => typedOrders.orderIn(harness, trx, couponCode, estimateToken)),
  /** In a transaction that holds the account's lock. */
  async orderIn(harness: Harness, trx: Trx, couponCode?: string, estimateToken?: string): Promise<Ordered> {
    const terms = termsOfOffering('bay', bay, 'usd')
    if (!terms) throw new Error('bay is sold in dollars')
    const clusterId = await harness.insertCluster()
    const instances = [{ instanceId: await harness.insertInstance(clusterId), terms }]
    const sale = { userid: harness.userid, clusterId, instances, request: request(couponCode), estimateToken }
    const limits = await harness.deps.accounts.lockLimits(trx, harness.userid)
    return await sellInstances(harness.deps, trx, { ...sale, limits })
  },
}
