/** `/v1/resource`: clusters as they are shown (spec §3, §7; design/api). */
import { z } from 'zod'
import { User } from '../accounts/users.ts'
import { CustomerInfo } from '../billing/customer.ts'
import { Notice } from '../billing/usage/notices.ts'
import { defineCall } from '../wire/call.ts'
import { roles } from '../wire/enums.ts'
import { ClusterId, InstanceId, IsoTime } from '../wire/fields.ts'
import { PageNumber, pageOf, RowsPerPage } from '../wire/paging.ts'
import { ClusterType, ReverseProxy } from './cluster-kinds.ts'
import { Latest, ResourceDetail } from './instances.ts'
import { ClusterMonitor, ClusterUsage } from './monitor/monitor.ts'
import { Operation } from './operations.ts'
import { MonthlyPrice, OverdueBill, UnpaidOrder } from './orders.ts'
import { MachineCopies, NetworkState } from './self-host.ts'
import { ClusterAction, ClusterStatus } from './status.ts'

export const Worker = z.object({
  instanceId: InstanceId,
  /** `worker-1`, `worker-2`, …; unique in its cluster. */
  name: z.string(),
  status: ClusterStatus,
  missing: z.boolean(),
  offering: z.string(),
  cpuCoreCount: z.int(),
  /** MiB */
  memorySize: z.int(),
})

export const Resource = z.object({
  clusterId: ClusterId,
  name: z.string(),
  clusterType: ClusterType,
  status: ClusterStatus,
  /** The English label of `status`. */
  statusStr: z.string(),
  osActive: z.boolean(),
  /** The master's status where `status` is what is shown: `running` under `inactivated`. */
  clusterStatus: ClusterStatus,
  reverseProxy: ReverseProxy,
  /** Visitors pass our edge, which counts their traffic and refuses them once the plan's traffic is used up. */
  viaEdge: z.boolean(),
  /** Where a visitor reaches it: its host of a customer's domain where it has one; null until it has an address. */
  url: z.string().nullable(),
  /** Where it is reached besides, under the deployment's own domain; null where that is `url` itself. */
  secondUrl: z.string().nullable(),
  /** Of a self-hosted cluster: whether visitors get through to its host; null before it said, and for Cloud. */
  network: NetworkState.nullable(),
  cloudName: z.string().nullable(),
  regionId: z.string().nullable(),
  version: z.string().nullable(),
  /** The master's. */
  instanceId: InstanceId,
  offering: z.string().nullable(),
  cpuCoreCount: z.int(),
  memorySize: z.int(),
  workers: z.array(Worker),
  /**
   * JSON text of `InstallLog`: steps, states and the last three lines, at most 4 kB. The whole: `clusterInstallLog`.
   */
  installLog: z.string(),
  cpuCoreTotalCount: z.int(),
  memoryTotalSize: z.int(),
  owner: z.object({ userid: z.string(), terminusName: z.string().nullable() }),
  /** Actions that the status machine allows now; clients show exactly these. */
  actions: z.array(ClusterAction),
  /** For each action that is not allowed now: why, in the caller's language. */
  refusals: z.partialRecord(ClusterAction, z.string()),
  /** The provider does not have the master, though it should exist. */
  missing: z.boolean(),
  /** Of instances whose disks were copied, the master's first. */
  copies: z.array(MachineCopies.extend({ instanceId: InstanceId, name: z.string() })),
  /** Since when its machine is given up: its agent is refused, and its address is free; null: it is not. */
  givenUpAt: IsoTime.nullable(),
  /** The newest operation of the cluster as a whole that is still running; null when none is. */
  operation: Operation.nullable(),
  /** Why the last operation failed, in the caller's language; null while none did. */
  error: z.string().nullable(),
  /** Its unpaid orders, shown to its owner; left out if there are none. */
  orders: z.array(UnpaidOrder).optional(),
  /** The bill by which it is stopped and kept for some days, shown to its owner; left out where there is none. */
  overdue: OverdueBill.optional(),
  /** Of the master; null before the first. */
  latest: Latest.nullable(),
  createAt: IsoTime,
})
export type Resource = z.infer<typeof Resource>

export const InstanceOffering = z.object({
  cloudName: z.string(),
  regionId: z.string(),
  name: z.string(),
  title: z.string(),
  cpuCoreCount: z.int(),
  memorySize: z.int(),
  diskSize: z.int(),
  available: z.boolean(),
  /** The region takes no orders now. */
  isClosed: z.boolean().optional(),
})

export const InstanceInfo = z.object({
  data: z.array(InstanceOffering),
  limit: z.object({ vCpuQuota: z.int(), vCpuUsed: z.int(), maxWorkers: z.int() }),
  pricePackage: z.record(z.string(), MonthlyPrice),
  versions: z.array(
    z.object({
      version: z.string(),
      title: z.string(),
      summary: z.string(),
      recommended: z.boolean(),
      /** Still being tested; left out otherwise. */
      beta: z.boolean().optional(),
    }),
  ),
  /** Titles of clouds and regions, for display. */
  clouds: z.array(
    z.object({
      cloudName: z.string(),
      title: z.string(),
      regions: z.array(z.object({ regionId: z.string(), title: z.string(), place: z.string() })),
    }),
  ),
})
export type InstanceInfo = z.infer<typeof InstanceInfo>

export const ClusterUser = z.object({ terminusName: z.string().nullable(), userid: z.string(), role: z.enum(roles) })
export type ClusterUser = z.infer<typeof ClusterUser>

/** Everything the home page needs, in one call (spec §7). */
export const resourceInitNew = defineCall({
  name: 'resourceInitNew',
  path: '/v1/resource/initNew',
  reach: 'list',
  reads: true,
  rate: 'page',
  topics: ['account'],
  summary: 'The home page in one call.',
  data: z.object({
    clusterUserAndPeriod: z.object({
      clusterUser: z.array(ClusterUser),
      subscriptionPeriod: z.object({ periodStart: z.int(), periodEnd: z.int() }).nullable(),
    }),
    instanceInfo: InstanceInfo,
    /** Details of the first cluster; null without one. */
    resourceDetail: ResourceDetail.nullable(),
    resourceMetrics: ClusterMonitor.nullable(),
    user: User,
    customerInfo: CustomerInfo,
    /** About the plan's quotas. */
    notices: z.array(Notice),
    resourceData: z.array(Resource),
  }),
})

/** The answer of `resourceList` if `page` is asked for. */
export const ResourcePage = pageOf({ resources: z.array(Resource) })

export const resourceList = defineCall({
  name: 'resourceList',
  path: '/v1/resource/',
  reach: 'list',
  reads: true,
  topics: ['cluster', 'metrics', 'account'],
  summary:
    'The clusters this account may see, the newest 200; destroyed ones are left out. With `page` they are those of one page, as {resources, page, rowsPerPage, rowsNumber}.',
  body: z.strictObject({
    clusterUserid: z.string().max(256).optional(),
    page: PageNumber.optional(),
    rowsPerPage: RowsPerPage.optional(),
  }),
  data: z.array(Resource),
  page: ResourcePage,
})

export const clusterInstallLog = defineCall({
  name: 'clusterInstallLog',
  path: '/v1/resource/cluster/installLog',
  reach: 'object',
  reads: true,
  topics: ['cluster'],
  summary: 'The whole log of how a cluster was installed, or one instance of it.',
  body: z.strictObject({ clusterId: ClusterId, instanceId: InstanceId.optional() }),
  data: z.object({
    /** JSON text of `InstallLog`. */
    installLog: z.string(),
  }),
})

export const clusterUsers = defineCall({
  name: 'clusterUsers',
  path: '/v1/resource/cluster/users',
  reach: 'list',
  reads: true,
  topics: ['cluster', 'account'],
  summary: 'Owners of the clusters this account may see.',
  data: z.array(ClusterUser),
})

export const clusterUsage = defineCall({
  name: 'clusterUsage',
  path: '/v1/resource/cluster/usage',
  reach: 'object',
  reads: true,
  topics: ['metrics'],
  summary: 'Storage, backup and traffic of one cluster.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: ClusterUsage,
})
