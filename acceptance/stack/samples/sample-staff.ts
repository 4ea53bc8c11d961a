/** Answers to what staff ask in the operator's area. */
import * as contract from '@atoll/contract/everything'
import type { Call, CallData } from '@atoll/contract/wire'
import { type Answers, sampleAnswers, sampleClosing } from './sample-account.ts'
import { daysAgo, friend, minutesAgo, owner } from './sample-facts.ts'
import { stuck, stuckDetail } from './sample-staff-clusters.ts'
import { money } from './sample-staff-money.ts'
import { colleague, me } from './sample-staff-people.ts'
import { capacityView, systemView } from './sample-system.ts'

const figures = (rowsNumber: number) => ({ page: 1, rowsPerPage: 20, rowsNumber })

/** The sample account with the role operator. */
export function staffAnswers(): Answers {
  const answers = sampleAnswers()
  const init = answers.get(contract.resourceInitNew) as CallData<typeof contract.resourceInitNew> // set by that file
  const user = { ...init.user, staff: 'operator' as const }
  answers.set(contract.resourceInitNew, { ...init, user }).set(contract.userInfo, user)
  for (const [call, data] of ofStaff()) answers.set(call, data)
  return answers
}

const customer: contract.Customer = {
  person: colleague,
  email: 'jonas@example.com',
  state: 'pastDue',
  planLevel: 2,
  clusters: 1,
  currency: 'usd',
  balance: 472,
  owed: 1740,
  monthly: 5220,
  lastSeenAt: minutesAgo(22),
  createAt: daysAgo(260),
}

const attention: contract.AttentionItem[] = [
  {
    kind: 'stuckClusters',
    key: '',
    severity: 'critical',
    since: minutesAgo(72),
    object: null,
    facts: { count: 4, name: 'Takaroa' },
    snoozedUntil: null,
  },
  {
    kind: 'failedPayments',
    key: '',
    severity: 'warning',
    since: minutesAgo(360),
    object: null,
    facts: { count: 9, ended: 31, said: 'processor not available' },
    snoozedUntil: null,
  },
  {
    kind: 'failingBackups',
    key: '',
    severity: 'warning',
    since: daysAgo(3),
    object: null,
    facts: { count: 3, owners: 2, name: 'Photos of Arutua', first: { at: daysAgo(3) } },
    snoozedUntil: daysAgo(-1),
  },
]

const hold: contract.Hold = {
  holdId: 'hd_sample0001',
  clusterId: null,
  scope: 'servers',
  reason: 'disputed',
  text: 'A payment of $28.80 was disputed by the card’s holder. Please tell us whether the order of 21 November was yours.',
  since: minutesAgo(9),
  answerBy: daysAgo(-14),
  until: null,
  answer: null,
}

const detail: contract.CustomerDetail = {
  ...customer,
  state: 'suspended',
  role: 'User',
  locale: 'en-US',
  zone: 'UTC',
  vCpuQuota: 16,
  disputed: 2880,
  paid: 24_240,
  invoices: 12,
  cards: [{ brand: 'visa', last4: '1881', isDefault: true }],
  sameCards: [me],
  holds: [hold],
  closesAt: sampleClosing.until,
  clusterList: [
    {
      clusterId: 'cl_sample001',
      name: 'Fakarava',
      clusterType: 'Cloud',
      status: 'running',
      regionId: 'lagoon',
      version: '1.12.3',
      cpuCoreCount: 4,
      memorySize: 8192,
      workers: 1,
      createAt: daysAgo(90),
    },
  ],
  notes: [{ number: 1, text: 'Asked by mail whether the order was theirs. No answer yet.', at: daysAgo(1), by: me }],
  domains: [{ domain: 'tideline.example', status: 'ALLOCATED' }],
  latestInvoices: [
    {
      invoiceId: 'inv_sample0012',
      number: 'ATL-9PX4M-0012',
      kind: 'order',
      state: 'paid',
      total: 2880,
      owed: null,
      currency: 'usd',
      createAt: daysAgo(7),
    },
    {
      invoiceId: 'inv_sample0011',
      number: 'ATL-9PX4M-0011',
      kind: 'renewal',
      state: 'open',
      total: 2340,
      owed: 2340,
      currency: 'usd',
      createAt: daysAgo(17),
    },
  ],
  payments: [
    {
      paymentId: 'pay_sample0012',
      number: 'ATL-9PX4M-0012',
      card: 2880,
      toCard: 2560,
      creditable: 2880,
      currency: 'usd',
      createAt: daysAgo(7),
    },
  ],
  mails: [
    { mailId: 'ml_sample01', at: daysAgo(1), kind: 'billing', to: 'noor@mail.example', state: 'sent' },
    { mailId: 'ml_sample02', at: daysAgo(2), kind: 'backup', to: 'noor@mail.example', state: 'failed' },
  ],
  sessions: [
    {
      id: 'ss_sample01',
      browser: 'Firefox 142',
      system: 'Linux',
      kind: 'computer',
      ip: '198.51.100.24',
      lastSeenAt: minutesAgo(22),
    },
  ],
  backups: [{ backupId: 'bk_sample01', clusterId: 'cl_sample001', completedAt: daysAgo(0.4), provedAt: daysAgo(2) }],
  export: null,
  disputes: [{ disputeId: 'dp_sample001', reason: 'fraudulent', state: 'open', amount: 2880, at: daysAgo(2) }],
  actions: [{ seq: 9, at: minutesAgo(4), action: 'session.signIn', by: colleague.terminusName }],
}

const announcement: contract.Announcement = {
  announcementId: 'an_sample0001',
  kind: 'incident',
  impact: 'limited',
  components: ['backups'],
  regions: [],
  title: { 'en-US': 'Backups are slow', 'zh-CN': '备份较慢' },
  startsAt: minutesAgo(40),
  endsAt: null,
  endedAt: null,
  updates: [
    {
      at: minutesAgo(40),
      text: { 'en-US': 'A disk is being replaced. No snapshot is lost.', 'zh-CN': '正在更换磁盘，快照没有丢失。' },
    },
  ],
}
const maintenance: contract.Announcement = {
  ...announcement,
  announcementId: 'an_sample0002',
  kind: 'maintenance',
  components: ['clusters'],
  regions: [{ region: 'atoll/lagoon', title: { 'en-US': 'Lagoon', 'zh-CN': '潟湖' } }],
  title: { 'en-US': 'New switches in Lagoon', 'zh-CN': '潟湖更换交换机' },
  startsAt: daysAgo(-2),
  endsAt: daysAgo(-3),
  updates: [
    {
      at: minutesAgo(90),
      text: { 'en-US': 'Clusters are out of reach for ten minutes.', 'zh-CN': '集群约十分钟无法访问。' },
    },
  ],
}

/** The account, suspended: what its owner sees. */
export function heldAnswers(): Answers {
  const answers = sampleAnswers()
  const init = answers.get(contract.resourceInitNew) as CallData<typeof contract.resourceInitNew> // set by that file
  return answers
    .set(contract.resourceInitNew, {
      ...init,
      user: { ...init.user, isHeld: true, closesAt: sampleClosing.until },
    })
    .set(contract.userHolds, [hold])
    .set(contract.userClosing, {
      ...sampleClosing,
      closing: { since: daysAgo(1), until: sampleClosing.until, byStaff: false },
    })
    .set(contract.userSupportAsk, { reason: 'the invoice that you asked about' })
    .set(contract.announcementsNow, [announcement, maintenance])
}

function answer<C extends Call>(call: C, data: CallData<C>): [Call, unknown] {
  return [call, data]
}

const waveOf = (wave: contract.RolloutWave['wave'], more: Partial<contract.RolloutWave>): contract.RolloutWave => ({
  wave,
  clusters: 0,
  updated: 0,
  failed: 0,
  returned: 0,
  asked: 0,
  waiting: 0,
  offline: 0,
  putOff: 0,
  ...more,
})
const versions: CallData<typeof contract.versionsShow> = {
  server: '1.2.0',
  programs: [
    {
      kind: 'agent',
      clusters: 468,
      offered: '2.4.0',
      isSigned: true,
      mayStart: false,
      rollout: {
        rolloutId: `ro_${'a'.repeat(20)}`,
        kind: 'agent',
        version: '2.4.0',
        state: 'paused',
        wave: 1,
        pausedBecause: 'failures',
        pausedAt: minutesAgo(125),
        waveEndsAt: null,
        createAt: daysAgo(1),
        waves: [
          waveOf('own', { clusters: 5, updated: 5 }),
          waveOf('first', { clusters: 23, updated: 20, failed: 3 }),
          waveOf('second', { clusters: 117, waiting: 117, offline: 2, putOff: 1 }),
          waveOf('rest', { clusters: 323, waiting: 323 }),
        ],
        failures: [
          {
            clusterId: 'cl_sample003',
            at: minutesAgo(126),
            reason: 'Version 2.4.0 did not report within 90 s; went back.',
          },
        ],
      },
      versions: [
        { version: '2.4.0', releasedAt: daysAgo(1), state: 'rollingOut', clusters: 25, offline: 0 },
        { version: '2.3.1', releasedAt: daysAgo(49), state: 'current', clusters: 441, offline: 0 },
        { version: '2.2.4', releasedAt: daysAgo(146), state: 'old', clusters: 2, offline: 2 },
      ],
    },
  ],
}

function ofStaff(): [Call, unknown][] {
  const code = contract.encodeApproveCode({
    topic: 'approve',
    message: { url: 'http://atoll.test', nonce: 'a'.repeat(32) },
  })
  return [
    // Asked for now, whenever the page asks.
    [contract.approvalBegin, () => ({ nonce: 'a'.repeat(32), code, expireAt: minutesAgo(-5) })],
    answer(contract.staffClustersPage, {
      clusters: [
        stuck,
        { ...stuck, clusterId: 'cl_sample002', name: 'Arutua', isStuck: false, status: 'running', reason: null },
      ],
      ...figures(2),
    }),
    answer(contract.staffClusterShow, {
      person: colleague,
      look: { reason: 'restart is stuck', since: minutesAgo(9) },
      waits: false,
      cluster: stuckDetail,
    }),
    answer(contract.staffClusterRetry, {}),
    answer(contract.staffClusterGiveUp, {}),
    answer(contract.staffClusterDiagnostics, {
      fileName: 'cl_sample001-diagnostics.zip',
      zip: 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
    }),
    answer(contract.attentionList, { items: attention, lookedAt: minutesAgo(0) }),
    answer(contract.attentionCount, { count: 2 }),
    answer(contract.attentionSnooze, {}),
    answer(contract.approvalDecline, {}),
    answer(contract.approvalState, { state: 'waiting', approval: null }),
    answer(contract.staffChange, {}),
    answer(contract.customersPage, {
      customers: [customer, { ...customer, person: me, state: 'active', owed: 0, email: null, planLevel: 0 }],
      ...figures(2),
    }),
    [
      contract.customerShow,
      (fields: URLSearchParams) => ({
        person: colleague,
        ...(fields.get('accountId')?.endsWith('0')
          ? { look: null, waits: false, customer: null }
          : { look: { reason: 'dispute of 24 November', since: minutesAgo(9) }, waits: false, customer: detail }),
      }),
    ],
    answer(contract.customerLook, {}),
    answer(contract.customerNote, {}),
    answer(contract.customerSuspend, { holdId: hold.holdId }),
    answer(contract.customerRelease, {}),
    answer(contract.customerErase, { until: sampleClosing.until }),
    answer(contract.customerKeep, {}),
    answer(contract.customerCredit, {}),
    answer(contract.customerRefund, {}),
    answer(contract.invoiceWriteOff, {}),
    answer(contract.captureAdopt, {}),
    answer(contract.paymentResolve, {}),
    answer(contract.paymentAsk, {}),
    answer(contract.capacityShow, capacityView),
    answer(contract.capacityAccept, {}),
    [contract.systemShow, systemView],
    answer(contract.catalogShow, {
      isAsked: true,
      problem: null,
      change: {
        from: 'a'.repeat(64),
        to: 'b'.repeat(64),
        appliedAt: daysAgo(6),
        appliedBy: owner.terminusName,
        difference: '  - name: tide-2\n-   title: Tide 2\n+   title: Ebb 2\n    cpuCoreCount: 2',
      },
    }),
    answer(contract.catalogApply, {}),
    answer(contract.jobRetry, {}),
    answer(contract.jobDiscard, {}),
    answer(contract.mailResend, {}),
    answer(contract.mailTest, { to: 'mara@atoll.test' }),
    answer(contract.ownBackupRun, {}),
    answer(contract.abuseFind, {
      holders: [
        {
          clusterId: 'cl_sample001',
          clusterName: 'Fakarava',
          person: colleague,
          value: 'tideline.example',
          from: daysAgo(40),
          until: null,
        },
      ],
    }),
    answer(contract.abusePage, {
      reports: [
        {
          reportId: 'ab_sample0001',
          what: 'https://tideline.example/login',
          seenAt: daysAgo(1),
          reporter: 'abuse@bank.example',
          text: 'A copy of our sign-in page.',
          clusterId: 'cl_sample001',
          person: colleague,
          writtenAt: minutesAgo(50),
          closed: null,
        },
        {
          reportId: 'ab_sample0002',
          what: '203.0.113.9',
          seenAt: daysAgo(3),
          reporter: 'noc@net.example',
          text: 'Scans of port 22.',
          clusterId: null,
          person: null,
          writtenAt: daysAgo(3),
          closed: { at: daysAgo(2), outcome: 'notOurs', text: 'The address is not ours.' },
        },
      ],
      ...figures(2),
    }),
    answer(contract.abuseReport, { reportId: 'ab_sample0003', person: null }),
    answer(contract.abuseClose, {}),
    answer(contract.customerExport, { exportId: 'ex_sample0001' }),
    answer(contract.announcementsPage, {
      announcements: [
        { ...announcement, byMail: true, mailedAt: minutesAgo(5) },
        { ...maintenance, byMail: false, mailedAt: null },
      ],
      regions: maintenance.regions,
      ...figures(2),
    }),
    answer(contract.announcementWrite, { announcementId: announcement.announcementId }),
    answer(contract.announcementUpdate, {}),
    answer(contract.disputeAnswer, {}),
    answer(contract.staffClusterCommand, {}),
    answer(contract.regionLimits, {}),
    answer(contract.regionLimitsPlan, { from: 'a'.repeat(64), difference: '-   cpu: 4\n+   cpu: 5' }),
    answer(contract.drainPlan, {
      instances: 83,
      disk: 6_640 * 1024,
      diskUsed: 3_838 * 1024,
      fitting: 11,
      fittingDisk: 1_240 * 1024,
    }),
    answer(contract.drainStart, {}),
    answer(contract.drainStop, {}),
    answer(contract.customerQuota, {}),
    answer(contract.customerCoupon, {}),
    answer(contract.customerCurrency, {}),
    answer(contract.customerEmailReset, {}),
    answer(contract.customerSignOut, {}),
    answer(contract.customerMail, {}),
    answer(contract.ledgerVerify, {}),
    answer(contract.accountUnpark, {}),
    [contract.moneyShow, money],
    answer(contract.versionsShow, versions),
    answer(contract.rolloutStart, {}),
    answer(contract.rolloutPause, {}),
    answer(contract.rolloutContinue, {}),
    answer(contract.rolloutBack, {}),
    answer(contract.staffPage, {
      members: [
        {
          person: me,
          role: 'operator',
          since: daysAgo(200),
          grantedBy: null,
          lastAct: { at: minutesAgo(9), action: 'account.makeSupport', objectName: friend.terminusName },
        },
        { person: colleague, role: 'support', since: daysAgo(3), grantedBy: me, lastAct: null },
      ],
      ...figures(2),
    }),
  ]
}
