/**
 * The tests beside this file send every call of the contract and every other endpoint as an anonymous caller, with a
 * wrong, an expired and an ended session, as the owner, as another account and as an Admin. Each call declares who may
 * make it (`reach`); here are the bodies that they are sent with.
 */

/** Ids to ask for: those of the owner, or ones that nobody has. */
export interface Ids {
  userid: string
  /** Of the same account. */
  accountId: string
  /** Of a suspension that turns visitors of the self-hosted cluster away. */
  holdId: string
  /** Of a report of abuse about this account. */
  reportId: string
  clusterId: string
  /** The master's. */
  instanceId: string
  workerId: string
  operationId: string
  sessionId: string
  selfHostId: string
  cardId: string
  subscriptionId: string
  invoiceId: string
  paymentId: string
  backupId: string
  snapshotId: string
  grantId: string
  /** Of one that the owner's personal server saved. */
  clientBackupId: string
  domain: string
}

const cluster = ({ clusterId }: Ids) => ({ clusterId })
const backup = ({ backupId }: Ids) => ({ backupId })
/** A compact JWE of nothing. */
const box = 'e30..AAAA.AAAA.AAAA'

/** The bodies that ask for these objects, by the names of calls; calls without one are sent no fields. */
export const callBodies: Readonly<Record<string, (ids: Ids) => object>> = {
  // Signing in
  // An agent: its token is its permission.

  // The account
  sessionRevoke: ({ sessionId }) => ({ id: sessionId }),
  sendSetEmailCode: () => ({ email: 'someone@example.com' }),
  verifyBindEmail: () => ({ email: 'someone@example.com', code: '000000' }),
  avatarSet: () => ({ image: 'AAAA' }),
  userMailsChange: () => ({ mail: 'alerts', isOn: false }),
  newsRead: () => ({ upTo: '2026-03-09T12:00:00.000Z' }),
  userTimeZone: () => ({ timeZone: 'Europe/Berlin' }),

  // Clusters
  workerList: cluster,
  instanceDetails: cluster,
  clusterUsage: cluster,
  clusterInstallLog: cluster,
  clusterOrder: cluster,
  installTime: () => ({ cloudName: 'local', offering: 'tide-2' }),
  clusterAlerts: cluster,
  clusterAlertPreview: (ids) => ({ ...cluster(ids), rule: 'disk', forMinutes: 10, threshold: 90, clearBelow: 85 }),
  clusterAlertSet: (ids) => ({ ...cluster(ids), rule: 'offline', isOn: true, mail: false, forMinutes: 5 }),
  clusterMonitor: cluster,
  clusterActivation: cluster,
  clusterPasswordReset: cluster,
  createCluster: () => ({
    clusterType: 'Cloud',
    cloudName: 'local',
    regionId: 'local',
    offering: 'tide-2',
    version: '1.0.0',
  }),
  createWorker: (ids) => ({ ...cluster(ids), offering: 'tide-2' }),
  selfHostCommand: ({ selfHostId }) => ({ clusterId: selfHostId, role: 'master' }),
  clusterUpdate: cluster,
  clusterUpdatePutOff: cluster,
  clusterRename: (ids) => ({ ...cluster(ids), name: 'Manihi' }),
  clusterStart: cluster,
  clusterStop: cluster,
  clusterRestart: cluster,
  clusterRetry: cluster,
  clusterRepair: cluster,
  clusterReplaceMachine: ({ selfHostId }) => ({ clusterId: selfHostId }),
  clusterChooseMachine: ({ clusterId, instanceId }) => ({ clusterId, instanceId, bootId: 'boot' }),
  clusterGiveUp: cluster,
  clusterTakeBack: cluster,
  destroyMaster: (ids) => ({ ...cluster(ids), confirm: true }),
  destroyKeep: cluster,
  destroyWorker: ({ clusterId, workerId }) => ({ clusterId, instanceId: workerId }),
  cancelInstance: ({ instanceId }) => ({ instanceId }),
  cancelNoPaid: ({ subscriptionId }) => ({ subscriptionId }),
  // Cards
  paymentMethodUpdate: ({ cardId }) => ({ id: cardId }),
  paymentMethodDelete: ({ cardId }) => ({ id: cardId }),
  paymentMethodDefault: ({ cardId }) => ({ id: cardId }),

  // Measurements for one's own Prometheus

  operationCancel: ({ operationId }) => ({ operationId }),

  // Backups: their owner's alone, since they lead to the owner's files.
  backupDetail: backup,
  backupSnapshots: backup,
  backupSnapshot: ({ snapshotId }) => ({ snapshotId }),
  backupRestoring: cluster,
  backupRetention: backup,
  backupGrants: backup,
  backupGoBack: (ids) => ({ ...backup(ids), grantId: ids.grantId }),
  backupUndoGoBack: backup,
  backupReadGrant: backup,
  backupChangePassword: (ids) => ({ ...backup(ids), box }),
  backupCreate: (ids) => ({
    ...cluster(ids),
    name: 'Photos',
    paths: ['/photos'],
    schedule: { every: 'day', at: '04:00' },
    timeZone: 'UTC',
  }),
  backupUpdate: (ids) => ({ ...backup(ids), name: 'Letters' }),
  backupPause: backup,
  backupRun: backup,
  backupCancel: backup,
  backupDelete: backup,
  backupUndelete: backup,
  backupUnlock: (ids) => ({ ...cluster(ids), ...backup(ids), box }),
  backupPin: ({ backupId, snapshotId }) => ({ backupId, snapshotId }),
  backupForget: ({ backupId, snapshotId }) => ({ backupId, snapshotId }),
  backupTakeBack: ({ backupId, snapshotId }) => ({ backupId, snapshotId }),
  backupMove: (ids) => ({ ...backup(ids), move: true }),
  backupProve: backup,
  backupAnswerAlarm: ({ backupId, snapshotId }) => ({ backupId, snapshotId, expected: false }),
  backupLook: ({ backupId, snapshotId }) => ({ backupId, snapshotId, box }),
  backupLooked: (ids) => ({ ...backup(ids), lookId: 'at_aaaaaaaaaaaa' }),
  backupRestore: ({ backupId, snapshotId }) => ({ backupId, snapshotId }),

  // Money: the caller's own.
  getEstimatedAmount: (ids) => ({ ...cluster(ids), kind: 'worker', offering: 'tide-2' }),
  getEstimatedRefundAmount: cluster,
  planChangeEstimate: () => ({ planLevel: 1 }),
  planChange: () => ({ planLevel: 0 }),
  subscriptionsDetail: ({ subscriptionId }) => ({ subscriptionId }),
  invoicesDetail: ({ invoiceId }) => ({ invoiceId }),
  usageLine: ({ invoiceId }) => ({ invoiceId, line: 1 }),
  paymentDetail: ({ paymentId }) => ({ paymentId }),
  paymentPay: ({ invoiceId }) => ({ invoiceId }),
  currentPaymentInfo: ({ invoiceId }) => ({ invoiceId }),
  backupSave: () => ({ backupId: 'photos', name: 'Photos', backupTime: 1_800_000_000, backupLocation: 'space' }),
  backupStop: ({ clientBackupId }) => ({ backupId: clientBackupId }),
  stsTokenBackup: () => ({ cloudName: 'aws', region: 'us-east-1', clusterId: 'cmVlZg==' }),
  productCalculate: () => ({ productType: 'cloud_traffic', quantity: '1' }),
  noticeSeen: () => ({ object: 'cloud_traffic' }),
  spendCapSet: () => ({ amount: 1000 }),
  forecast: () => ({ months: 12 }),
  timeTravel: () => ({ to: '2000-01-01T00:00:00Z' }),
  // Custom domains
  domainAdd: () => ({ domain: 'other.lagoon.example' }),
  domainDetail: ({ domain }) => ({ domain }),
  domainMoves: ({ domain }) => ({ domain }),
  domainCheck: ({ domain }) => ({ domain }),
  domainHttpsRetry: ({ domain }) => ({ domain }),
  domainCertificates: ({ domain }) => ({ domain }),
  domainCertificateRemove: ({ domain }) => ({ domain, name: `photos.lena.${domain}` }),
  domainMethod: ({ domain }) => ({ domain, method: 'cname' }),
  domainRecordAdd: ({ domain }) => ({ domain, type: 'MX', name: '@', value: '10 mail.example' }),
  domainRecordDelete: ({ domain }) => ({ domain, type: 'MX', name: '@', value: '10 mail.example' }),
  domainRestart: ({ domain }) => ({ domain }),
  domainDelete: ({ domain }) => ({ domain }),
  domainRuleSet: ({ domain }) => ({ domain, ruleType: 'specified_email_address' }),
  requestDomainVC: ({ domain }) => ({ domain, jws: 'a.b.c' }),
  submitDomainVP: ({ domain }) => ({ domain, jws: 'a.b.c' }),
  domainMembers: ({ domain }) => ({ domain }),
  memberAdd: ({ domain }) => ({ domain, name: 'lena' }),
  memberPassword: ({ domain }) => ({ domain, name: 'kai' }),
  memberEmail: ({ domain }) => ({ domain, name: 'kai', email: 'kai@gmail.com' }),
  memberDelete: ({ domain }) => ({ domain, name: 'kai' }),
  domainTransfer: ({ domain }) => ({ domain, to: 'kai' }),
  domainTransferSign: ({ domain }) => ({ domain, jws: 'a.b.c' }),
  domainTransferAccept: () => ({ domain: 'other.lagoon.example', jws: 'a.b.c' }),
  domainTransferDelete: ({ domain }) => ({ domain }),
  memberJoin: () => ({ jws: 'a.b.c' }),
  // Asked by wallets before anybody signs in: who may join is no secret to those who may.
  domainRuleShow: ({ domain }) => ({ domain }),
  couponRedeem: () => ({ code: 'REEF10' }),

  versionsShow: () => ({}),
  rolloutStart: () => ({ kind: 'agent', version: '1.0.0', reason: 'a fix', approval: 'a.b.c' }),
  rolloutPause: () => ({ rolloutId: `ro_${'a'.repeat(20)}`, reason: 'it fails' }),
  rolloutContinue: () => ({ rolloutId: `ro_${'a'.repeat(20)}`, reason: 'mended', approval: 'a.b.c' }),
  rolloutBack: () => ({ rolloutId: `ro_${'a'.repeat(20)}`, reason: 'it fails', approval: 'a.b.c' }),
  customersPage: ({ userid }) => ({ search: userid.slice(0, 40) }),
  customerShow: ({ accountId }) => ({ accountId }),
  customerLook: ({ accountId }) => ({ accountId, reason: 'asked by mail' }),
  customerSuspend: ({ accountId }) => ({
    accountId,
    scope: 'servers',
    why: 'abuse',
    text: 'Tell us why.',
    reason: 'sends spam',
    approval: 'a.b.c',
  }),
  customerErase: ({ accountId }) => ({ accountId, reason: 'asked by mail', approval: 'a.b.c' }),
  customerKeep: ({ accountId }) => ({ accountId, reason: 'asked by mail', approval: 'a.b.c' }),
  customerRelease: () => ({ holdId: 'hd_aaaaaaaa', reason: 'answered', approval: 'a.b.c' }),
  customerCredit: ({ accountId }) => ({ accountId, amount: 100, kind: 'cash', reason: 'a gift', approval: 'a.b.c' }),
  customerRefund: ({ paymentId }) => ({
    paymentId,
    amount: 100,
    way: 'card',
    reason: 'asked for',
    approval: 'a.b.c',
  }),
  invoiceWriteOff: ({ invoiceId }) => ({ invoiceId, reason: 'is gone', approval: 'a.b.c' }),
  captureAdopt: ({ accountId }) => ({ ref: 'sb_lost', accountId, way: 'credit', reason: 'theirs', approval: 'a.b.c' }),
  paymentResolve: ({ paymentId }) => ({ paymentId, outcome: 'notCharged', reason: 'seen', approval: 'a.b.c' }),
  userSupportAnswer: () => ({ allows: true, reason: 'asked by mail' }),
  regionLimitsPlan: () => ({ cloudName: 'lagoon', regionId: 'lagoon', cpu: 4, memory: 1, disk: 1.5 }),
  regionLimits: () => ({
    cloudName: 'lagoon',
    regionId: 'lagoon',
    cpu: 4,
    memory: 1,
    disk: 1.5,
    from: 'a'.repeat(64),
    reason: 'more machines',
    approval: 'a.b.c',
  }),
  drainPlan: () => ({ cloudName: 'lagoon', regionId: 'lagoon', member: 'lagoon-1' }),
  drainStart: () => ({
    cloudName: 'lagoon',
    regionId: 'lagoon',
    member: 'lagoon-1',
    reason: 'a new disk',
    approval: 'a.b.c',
  }),
  drainStop: () => ({ drainId: 'dr_aaaaaaaa' }),
  staffClusterCommand: ({ clusterId }) => ({ clusterId, command: 'stop', reason: 'asked by mail', approval: 'a.b.c' }),
  customerQuota: ({ accountId }) => ({ accountId, vCpu: 32, reason: 'asked by mail' }),
  customerCoupon: ({ accountId }) => ({ accountId, code: 'NONE', reason: 'was promised' }),
  customerCurrency: ({ accountId }) => ({ accountId, currency: 'usd', reason: 'was taken wrongly' }),
  customerEmailReset: ({ accountId }) => ({ accountId, reason: 'lost the mailbox' }),
  customerSignOut: ({ accountId }) => ({ accountId, reason: 'lost a laptop' }),
  customerMail: ({ accountId }) => ({ accountId, subject: 'Your question', text: 'It is done.' }),
  disputeAnswer: () => ({ disputeId: 'dp_none', way: 'accept', reason: 'they are right', approval: 'a.b.c' }),
  moneyShow: () => ({ currency: 'usd' }),
  ledgerVerify: () => ({}),
  accountUnpark: ({ accountId }) => ({ accountId }),
  paymentAsk: ({ paymentId }) => ({ paymentId }),
  userHoldAnswer: ({ holdId }) => ({ holdId, text: 'It was me.' }),
  customerNote: ({ accountId }) => ({ accountId, text: 'Asked by mail.' }),
  abuseFind: () => ({ what: 'reef.example' }),
  abuseReport: () => ({
    what: 'reef.example',
    seenAt: '2026-11-28T12:00:00Z',
    reporter: 'abuse@example.com',
    text: 'It sends spam.',
  }),
  abuseClose: ({ reportId }) => ({ reportId, outcome: 'unfounded', text: 'Nothing was found.' }),
  customerExport: ({ accountId }) => ({ accountId, reason: 'asked by mail' }),
  announcementWrite: () => ({
    kind: 'incident',
    impact: 'limited',
    titleEn: 'Slow starts',
    titleZh: '启动较慢',
    byMail: false,
    textEn: 'We look into it.',
    textZh: '正在调查。',
  }),
  announcementUpdate: () => ({
    announcementId: 'an_aaaaaaaa',
    textEn: 'It is over.',
    textZh: '已经恢复。',
    ends: true,
  }),
  // The operator's area. The signature is nobody's: what an approval lets through is tested beside the module.
  approvalBegin: () => ({ act: 'staffChange', parameters: '{"who":"x@atoll.test","role":"support","reason":"none"}' }),
  staffClustersPage: ({ clusterId }) => ({ search: clusterId }),
  staffClusterShow: cluster,
  staffClusterRetry: cluster,
  staffClusterGiveUp: (ids) => ({ ...cluster(ids), text: 'We make room.' }),
  staffClusterDiagnostics: cluster,
  attentionSnooze: () => ({ kind: 'stuckClusters', key: '' }),
  approvalState: () => ({ nonce: 'a'.repeat(32) }),
  staffChange: () => ({ who: 'x@atoll.test', role: 'support', reason: 'none', approval: 'a.b.c' }),
  approvalRead: () => ({ nonce: 'a'.repeat(32) }),
  approvalDeliver: () => ({ jws: 'a.b.c' }),
  approvalDecline: () => ({ nonce: 'a'.repeat(32) }),
  systemShow: () => ({}),
  jobRetry: () => ({ jobId: '1' }),
  jobDiscard: () => ({ jobId: '1', reason: 'none' }),
  mailResend: () => ({ mailId: 'ml_0000000000000000' }),
  mailTest: () => ({}),
  ownBackupRun: () => ({}),
  catalogShow: () => ({}),
  capacityShow: () => ({}),
  capacityAccept: () => ({ cloudName: 'x', regionId: 'x', accepts: false }),
  catalogApply: () => ({ from: 'a'.repeat(64), to: 'b'.repeat(64) }),
}
