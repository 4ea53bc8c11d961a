/** Whose visitors are turned away when a plan's traffic is used up, as the cluster's page says it. */
import { type Resource, resourceInitNew, resourceList } from '@atoll/contract/clusters'
import { expect, it } from 'vitest'
import { overdueAnswers } from '../stack/samples/sample-account.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()
const running = sampleClusters.find(({ status }) => status === 'running') as Resource // one of each situation

it.each([
  [{}, 'network.edge', 'network.limitedSince'],
  [{ clusterType: 'SelfHost', reverseProxy: 'frp' }, 'billing.networkRelay', 'network.limitedSince'],
  [{ clusterType: 'SelfHost', reverseProxy: 'frp', viaEdge: false }, 'network.frp', 'network.notCut'],
  [{ clusterType: 'SelfHost', reverseProxy: 'cloudflare', viaEdge: false }, 'network.cloudflare', 'network.notCut'],
  [{ clusterType: 'SelfHost', reverseProxy: 'none', viaEdge: false }, 'network.direct', 'network.notCut'],
] as const)('the network of a cluster with %j has the row %s, which says %s', async (facts, ingress, state) => {
  const { notices } = overdueAnswers().get(resourceInitNew) as { notices: unknown[] } // set by that file
  const init = server.answers.get(resourceInitNew) as object // the same
  server.answers.set(resourceInitNew, { ...init, notices })
  server.answers.set(resourceList, [{ ...running, ...facts }])
  const { page, app } = await openTab({}, `/cluster/${running.clusterId}?tab=network`)
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: app.t(ingress), exact: true }) })
  // The sample was limited just now.
  await row.getByText(new RegExp(`^${app.t(state, { time: String.raw`\d\d:\d\d` })}$`)).waitFor()
  const isLimited = state === 'network.limitedSince'
  expect(await page.getByText(app.t('notice.limitedBadge'), { exact: true }).count()).toBe(isLimited ? 1 : 0)
})
