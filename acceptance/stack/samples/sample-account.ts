/** Answers to everything the console asks, for an account with nothing and for one with every situation in it. */

import type { SignedIn } from '@atoll/contract/accounts'
import * as contract from '@atoll/contract/everything'
import type { Call, CallData } from '@atoll/contract/wire'
import { sampleAccountAlerts, sampleAlerts } from './sample-alerts.ts'
import { sampleBackupId, sampleBackups } from './sample-backups.ts'
import { overdueCustomer, sampleBills, sampleCustomer } from './sample-bills.ts'
import { detailOf, instancesOf, sampleClusters } from './sample-clusters.ts'
import { sampleDomainAnswers } from './sample-domains.ts'
import { daysAgo, owner } from './sample-facts.ts'
import { refundOf, sampleMoney } from './sample-money.ts'
import { sampleAlertPreview, sampleMonitor } from './sample-monitor.ts'
import { sampleUsage } from './sample-usage.ts'

const hour = 60 * 60_000
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()

/** The answer to a call: its data, or a function of the fields it was sent with. */
export type Answers = Map<Call, unknown | ((fields: URLSearchParams) => unknown)>

export function sampleSession(facts: Partial<SignedIn> = {}): SignedIn {
  return {
    ...owner,
    avatar: null,
    email: 'lena@example.com',
    canCreateCluster: true,
    vCpuQuota: 64,
    planLevel: 2,
    planLevelStr: 'Basic',
    accessLimit: false,
    role: 'Admin',
    staff: null,
    isHeld: false,
    closesAt: null,
    timeZone: 'UTC',
    token: 'sample-token',
    expired: Date.now() + 24 * hour,
    ...facts,
  }
}

export const sampleClosing = {
  closing: null as { since: string; until: string; byStaff: boolean } | null,
  until: daysAgo(-14),
  cloud: ['Rangiroa', 'Fakarava'],
  selfHosted: ['Tikehau'],
  domains: ['lagoon.example'],
  backups: { count: 2, newestAt: daysAgo(1) },
  name: 'lena@lagoon.example',
  nameUntil: daysAgo(-379),
  invoicesUntil: daysAgo(-3670),
  retentionYears: 10,
  money: { currency: 'usd' as const, balance: 302, unused: 509, owed: 150, toCard: 650, givenUp: 11, promo: 130 },
}

const { token: _token, expired: _expired, ...user } = sampleSession()
const offering = (name: string, cores: number, available: boolean) => ({
  cloudName: 'atoll',
  regionId: 'lagoon',
  name,
  title: `Tide ${cores}`,
  cpuCoreCount: cores,
  memorySize: cores * 2048,
  diskSize: cores * 25_600,
  available,
})
const instanceInfo: contract.InstanceInfo = {
  data: [
    offering('tide-2', 2, true),
    offering('tide-4', 4, true),
    offering('tide-8', 8, false),
    offering('tide-64', 64, true),
  ],
  limit: { vCpuQuota: 64, vCpuUsed: 34, maxWorkers: 8 },
  pricePackage: { 'tide-2': { amount: 720, currency: 'usd', interval: 'month' } },
  versions: [
    { version: '1.12.3', title: 'Atoll 1.12.3', summary: 'The newest.', recommended: true },
    { version: '1.11.0', title: 'Atoll 1.11.0', summary: 'The one before.', recommended: false },
  ],
  clouds: [
    {
      cloudName: 'atoll',
      title: 'Atoll',
      regions: [{ regionId: 'lagoon', title: 'Lagoon', place: 'On this machine' }],
    },
  ],
}

const monitor = sampleMonitor(new URLSearchParams())

const command = {
  enrollToken: 'sample-enroll-token',
  command: 'curl -fsSL http://atoll.test/enroll.sh | sh -s -- sample-enroll-token',
  expireAt: new Date(Date.now() + 25 * 60_000).toISOString(),
}

function answer<C extends Call>(
  call: C,
  data: CallData<C> | ((fields: URLSearchParams) => CallData<C>),
): [Call, unknown] {
  return [call, data]
}

/** `clusters`: what the account sees. Calls that change something say that they did, and change nothing. */
export function sampleAnswers(clusters: contract.Resource[] = sampleClusters): Answers {
  const byId = (fields: URLSearchParams) =>
    clusters.find(({ clusterId }) => clusterId === fields.get('clusterId')) ?? (clusters[0] as contract.Resource)
  const owners = clusters.map(({ owner }) => ({ ...owner, role: 'User' as const }))
  const users = [...new Map(owners.map((owner) => [owner.userid, owner])).values()]
  const instances = clusters.flatMap(instancesOf)
  const device = { kind: 'computer', browser: 'Firefox', system: 'Linux' } as const
  const session = (id: string, current: boolean): contract.Session => ({
    id,
    current,
    device: current ? device : { kind: 'phone', browser: 'Safari', system: 'iOS' },
    place: current ? { kind: 'thisMachine', network: null } : { kind: 'network', network: '203.0.113.0/24' },
    ip: current ? '127.0.0.1' : '203.0.113.7',
    createdAt: ago(30),
    lastSeenAt: ago(current ? 0 : 3),
    expiresAt: ago(-24),
  })
  const email = { email: 'lena@example.com', pending: null }
  const changed = { status: 'running' } as const
  return new Map<Call, unknown>([
    answer(contract.resourceInitNew, {
      clusterUserAndPeriod: { clusterUser: users, subscriptionPeriod: null },
      instanceInfo,
      resourceDetail: clusters[0] ? detailOf(clusters[0]) : null,
      resourceMetrics: clusters[0] ? monitor : null,
      user,
      customerInfo: sampleCustomer,
      notices: [],
      resourceData: clusters,
    }),
    answer(contract.resourceList, clusters),
    answer(contract.clusterUsers, users),
    answer(contract.clusterUsage, monitor.usage),
    answer(contract.clusterInstallLog, (fields) => ({
      installLog: fields.get('instanceId') ? '[]' : byId(fields).installLog,
    })),
    answer(contract.clusterOrder, { invoiceId: 'iv_sample0029' }),
    answer(contract.installTime, { seconds: 290 }),
    answer(contract.clusterMonitor, sampleMonitor),
    answer(contract.clusterAlerts, sampleAlerts()),
    answer(contract.accountAlerts, sampleAccountAlerts(clusters)),
    answer(contract.clusterAlertSet, {}),
    answer(contract.clusterAlertPreview, sampleAlertPreview),
    answer(contract.instanceDetails, (fields) => detailOf(byId(fields))),
    answer(contract.instanceList, instances),
    answer(
      contract.workerList,
      instances.filter(({ role }) => role === 'worker'),
    ),
    answer(contract.clusterUpdate, { update: { version: '2.4.0', notBefore: null, left: 2 } }),
    answer(contract.clusterUpdatePutOff, {}),
    answer(contract.clusterActivation, {
      terminusName: owner.terminusName,
      password: 'reef-lagoon-4821',
      wizardUrl: 'http://lena.atoll.test:4801/wizard',
    }),
    answer(contract.selfHostCommand, command),
    answer(contract.clusterReplaceMachine, command),
    answer(contract.clusterRename, (fields) => ({ name: fields.get('name') ?? '' })),
    answer(contract.createCluster, (fields) => ({
      clusterId: 'cl_sample001',
      status: 'queuing' as const,
      amount: 0,
      paid: true,
      ...(fields.get('clusterType') === 'SelfHost' && command),
    })),
    answer(contract.createWorker, { instanceIds: ['in_worker009'], status: 'running', amount: 0, paid: true }),
    ...[
      contract.clusterStart,
      contract.clusterStop,
      contract.clusterRestart,
      contract.clusterRetry,
      contract.clusterRepair,
      contract.clusterGiveUp,
      contract.clusterChooseMachine,
      contract.clusterTakeBack,
      contract.destroyMaster,
      contract.destroyWorker,
      contract.cancelInstance,
      contract.operationCancel,
    ].map((call) => answer<Call>(call, changed)),
    answer(contract.getEstimatedRefundAmount, (fields) => refundOf(byId(fields))),
    answer(contract.userInfo, user),
    answer(contract.logout, {}),
    answer(contract.openCode, { matchNumber: '42' }),
    answer(contract.activeLogin, {}),
    answer(contract.sessionList, [session('ss_sample001', true), session('ss_sample002', false)]),
    answer(contract.sessionRevoke, {}),
    answer(contract.sessionRevokeAll, { revoked: 1 }),
    answer(contract.emailShow, email),
    answer(contract.trafficUsage, { totalSize: 300e9, usedSize: 12e9, overageSize: 0 }),
    answer(contract.backupUsage, { totalSize: 50e9, usageSize: 0, canBackup: true, planLevel: 1 }),
    answer(contract.metricsTokenShow, { token: { createdAt: ago(40), usedAt: ago(0) } }),
    answer(contract.metricsTokenMake, { token: 'q7'.repeat(20), url: 'https://atoll.test/v1/openmetrics' }),
    answer(contract.metricsTokenRevoke, {}),
    answer(contract.sendSetEmailCode, {
      email: email.email,
      pending: {
        email: 'new@example.com',
        mail: 'sent',
        expireAt: ago(-1),
        nextCodeAt: ago(0),
        triesLeft: 5,
      },
    }),
    answer(contract.verifyBindEmail, email),
    answer(contract.emailCodeCancel, { email: null, pending: null }),
    answer(contract.emailRemove, { email: null, pending: null }),
    answer(contract.avatarSet, { avatar: '/icon-light.png' }),
    answer(contract.avatarRemove, {}),
    answer(contract.userTimeZone, {}),
    answer(contract.userMails, { mails: contract.optionalMails.map((mail) => ({ mail, isOn: mail !== 'usage' })) }),
    answer(contract.userMailsChange, {}),
    answer(contract.firstStepsShow, stepsWithout([], { isDismissed: true })),
    answer(contract.newsList, sampleNews(clusters)),
    answer(contract.newsRead, {}),
    answer(contract.firstStepsDismiss, {}),
    answer(contract.passwordKept, {}),
    answer(contract.userHolds, []),
    answer(contract.userSupportAsk, { reason: null }),
    answer(contract.userSupportAnswer, {}),
    answer(contract.announcementsNow, []),
    answer(contract.userExport, {
      export: {
        exportId: 'ex_sample0001',
        state: 'ready',
        askedAt: daysAgo(1),
        size: 1_320_000,
        until: daysAgo(-6),
      },
    }),
    answer(contract.userExportAsk, { exportId: 'ex_sample0002' }),
    answer(contract.userClosing, sampleClosing),
    answer(contract.userClose, { until: daysAgo(-14) }),
    answer(contract.userKeep, {}),
    answer(contract.userHoldAnswer, {}),
    answer(contract.auditPage, {
      records: clusters.map((cluster, index) => ({
        seq: index + 1,
        at: ago(index),
        actor: index % 2 === 0 ? owner : null,
        sessionId: index % 2 === 0 ? 'ss_sample001' : null,
        ip: index % 2 === 0 ? '127.0.0.1' : null,
        action: 'cluster.start' as const,
        object: { kind: 'cluster' as const, id: cluster.clusterId, name: cluster.name, owner: cluster.owner },
        before: { status: 'stopped' },
        after: { status: 'starting' },
        isErased: false,
      })),
      page: 1,
      rowsPerPage: 20,
      rowsNumber: clusters.length,
    }),
    ...sampleBills(clusters.length === 0),
    ...sampleMoney(clusters.length === 0),
    ...sampleUsage(),
    ...sampleBackups(clusters.length === 0),
    ...sampleDomainAnswers(clusters.length === 0),
  ])
}

/** An account that has just been made. */
export const emptyAnswers = (): Answers => sampleAnswers([])

/** The sample account without a linked email, with a bill that is past due and notices of each kind. */
export function overdueAnswers(): Answers {
  const answers = maillessAnswers()
  const init = answers.get(contract.resourceInitNew) as CallData<typeof contract.resourceInitNew> // set by this file
  return answers
    .set(contract.customerInfo, overdueCustomer)
    .set(contract.resourceInitNew, { ...init, notices: sampleNotices() })
}

/** Of each object one event, the newest unread. */
function sampleNews([cluster]: readonly contract.Resource[]): CallData<typeof contract.newsList> {
  if (!cluster) return { items: [], unread: 0 }
  const item = (
    index: number,
    kind: contract.NewsKind,
    object: contract.NewsItem['object'],
    detail: string | null,
  ) => ({
    id: String(9 - index),
    at: ago(index * 30),
    kind,
    object,
    detail,
    isUnread: index === 0,
  })
  const of = { kind: 'cluster' as const, id: cluster.clusterId, name: cluster.name }
  return {
    items: [
      item(0, 'alertFired', of, 'disk'),
      item(
        1,
        'backupRun',
        { kind: 'backup', id: sampleBackupId, name: 'Photos, every night, of the whole family' },
        null,
      ),
      item(2, 'domainDelegationLost', { kind: 'domain', id: 'lagoon.example', name: 'lagoon.example' }, null),
      item(3, 'clusterReady', of, null),
    ],
    unread: 12,
  }
}

/** The first steps, all but some of them done. */
function stepsWithout(missing: readonly contract.FirstStep[], { isDismissed = false } = {}) {
  return {
    steps: contract.firstSteps.map((step) => ({ step, isDone: !missing.includes(step) })),
    isDismissed,
  }
}

/** The account without an email, which may order and has not taken all first steps. */
export function maillessAnswers(): Answers {
  const answers = sampleAnswers()
  const init = answers.get(contract.resourceInitNew) as CallData<typeof contract.resourceInitNew> // set by this file
  return answers
    .set(contract.resourceInitNew, { ...init, user: { ...init.user, email: null } })
    .set(contract.emailShow, { email: null, pending: null })
    .set(contract.firstStepsShow, stepsWithout(['email', 'password']))
}

/** One notice of each kind. */
function sampleNotices(): contract.Notice[] {
  const notice = (key: contract.NoticeKey, object: contract.MeteredProduct, used: number, quota: number) => ({
    kind: contract.noticeKindOf[key],
    key,
    object,
    since: ago(0),
    until: ago(-24 * 17),
    params: { used, quota, unitLabel: 'GB', rate: key === 'usageNear' ? '0.03' : null, currency: 'usd' },
  })
  return [
    notice('usageLimited', 'cloud_traffic', 50.6, 50),
    notice('usageNear', 'cloud_storage', 262, 300),
    notice('usageOpen', 'cloud_backup', 92, 150),
  ]
}
