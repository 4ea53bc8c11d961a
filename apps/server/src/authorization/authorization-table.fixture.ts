/**
 * Who may do what: a row for every call of the contract and every other endpoint. The test beside this file asks each
 * of them as nobody, with a wrong, an expired and an ended session, as the owner, as somebody else and as an Admin.
 * An endpoint without a row fails it.
 */
import { auditExportPath } from '@atoll/contract/audit'
import { invoiceFilesPath, invoicesExportPath, statementKeyPath, statementPath } from '@atoll/contract/billing'
import { openMetricsPath } from '@atoll/contract/observe'
import { eventsPath } from '@atoll/contract/wire'

/** Ids to ask for: those of the owner, or ones that nobody has. */
export interface Ids {
  userid: string
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
  /** Of one that the owner's personal server saved. */
  clientBackupId: string
  domain: string
}

/**
 * - `open`: needs no session.
 * - `self`: about the caller alone; nothing of anybody else's is in the answer or changed.
 * - `list`: what the caller may see: the owner their own, an Admin everybody's, others nothing of it.
 * - `object`: the owner and an Admin; to others the object does not exist.
 * - `ownersOnly`: as `object`, but an Admin, who sees it, is refused: only the owner may.
 * - `private`: the owner; to everybody else, Admins too, the object does not exist.
 */
export type Reach = 'open' | 'self' | 'list' | 'object' | 'ownersOnly' | 'private'

export interface Row {
  reach: Reach
  /** The body that asks for the objects with these ids. */
  body?: (ids: Ids) => object
}

const cluster = ({ clusterId }: Ids) => ({ clusterId })
const backup = ({ backupId }: Ids) => ({ backupId })
/** A compact JWE of nothing. */
const box = 'e30..AAAA.AAAA.AAAA'

export const callRows: Readonly<Record<string, Row>> = {
  // Signing in
  login: { reach: 'open' },
  activeLogin: { reach: 'open' },
  openCode: { reach: 'open' },
  readCode: { reach: 'open' },
  declineCode: { reach: 'open' },
  // An agent: its token is its permission.
  agentEnroll: { reach: 'open' },
  agentBackups: { reach: 'open' },
  agentBackupGrant: { reach: 'open' },

  // The account
  userInfo: { reach: 'self' },
  logout: { reach: 'self' },
  sessionList: { reach: 'self' },
  sessionRevoke: { reach: 'private', body: ({ sessionId }) => ({ id: sessionId }) },
  sessionRevokeAll: { reach: 'self' },
  emailShow: { reach: 'self' },
  sendSetEmailCode: { reach: 'self', body: () => ({ email: 'someone@example.com' }) },
  verifyBindEmail: { reach: 'self', body: () => ({ email: 'someone@example.com', code: '000000' }) },
  emailCodeCancel: { reach: 'self' },
  emailRemove: { reach: 'self' },
  avatarSet: { reach: 'self', body: () => ({ image: 'AAAA' }) },
  avatarRemove: { reach: 'self' },
  auditPage: { reach: 'list' },

  // Clusters
  resourceInitNew: { reach: 'list' },
  resourceList: { reach: 'list' },
  instanceList: { reach: 'list' },
  clusterUsers: { reach: 'list' },
  workerList: { reach: 'object', body: cluster },
  instanceDetails: { reach: 'object', body: cluster },
  clusterUsage: { reach: 'object', body: cluster },
  accountAlerts: { reach: 'self' },
  clusterAlerts: { reach: 'object', body: cluster },
  clusterAlertPreview: {
    reach: 'object',
    body: (ids) => ({ ...cluster(ids), rule: 'disk', forMinutes: 10, threshold: 90, clearBelow: 85 }),
  },
  clusterAlertSet: {
    reach: 'object',
    body: (ids) => ({ ...cluster(ids), rule: 'offline', isOn: true, mail: false, forMinutes: 5 }),
  },
  clusterMonitor: { reach: 'object', body: cluster },
  clusterActivation: { reach: 'ownersOnly', body: cluster },
  clusterPasswordReset: { reach: 'ownersOnly', body: cluster },
  createCluster: {
    reach: 'self',
    body: () => ({ clusterType: 'Cloud', cloudName: 'local', regionId: 'local', offering: 'tide-2', version: '1.0.0' }),
  },
  createWorker: { reach: 'object', body: (ids) => ({ ...cluster(ids), offering: 'tide-2' }) },
  selfHostCommand: { reach: 'object', body: ({ selfHostId }) => ({ clusterId: selfHostId, role: 'master' }) },
  clusterRename: { reach: 'object', body: (ids) => ({ ...cluster(ids), name: 'Manihi' }) },
  clusterStart: { reach: 'object', body: cluster },
  clusterStop: { reach: 'object', body: cluster },
  clusterRestart: { reach: 'object', body: cluster },
  clusterRetry: { reach: 'object', body: cluster },
  clusterRepair: { reach: 'object', body: cluster },
  destroyMaster: { reach: 'object', body: (ids) => ({ ...cluster(ids), confirm: true }) },
  destroyKeep: { reach: 'object', body: cluster },
  destroyWorker: { reach: 'object', body: ({ clusterId, workerId }) => ({ clusterId, instanceId: workerId }) },
  cancelInstance: { reach: 'object', body: ({ instanceId }) => ({ instanceId }) },
  cancelNoPaid: { reach: 'private', body: ({ subscriptionId }) => ({ subscriptionId }) },
  // Cards
  paymentMethodList: { reach: 'self' },
  paymentMethodAdd: { reach: 'self' },
  paymentMethodUpdate: { reach: 'private', body: ({ cardId }) => ({ id: cardId }) },
  paymentMethodDelete: { reach: 'private', body: ({ cardId }) => ({ id: cardId }) },
  paymentMethodDefault: { reach: 'private', body: ({ cardId }) => ({ id: cardId }) },

  // Measurements for one's own Prometheus
  metricsTokenShow: { reach: 'self' },
  metricsTokenMake: { reach: 'self' },
  metricsTokenRevoke: { reach: 'self' },

  operationCancel: { reach: 'object', body: ({ operationId }) => ({ operationId }) },

  // Backups: their owner's alone, since they lead to the owner's files.
  backupList: { reach: 'self' },
  backupDetail: { reach: 'private', body: backup },
  backupSnapshots: { reach: 'private', body: backup },
  backupSnapshot: { reach: 'private', body: ({ snapshotId }) => ({ snapshotId }) },
  backupRestoring: { reach: 'private', body: cluster },
  backupRetention: { reach: 'private', body: backup },
  backupCreate: {
    reach: 'private',
    body: (ids) => ({
      ...cluster(ids),
      ...{ name: 'Photos', paths: ['/photos'], schedule: { every: 'day', at: '04:00' }, timeZone: 'UTC' },
    }),
  },
  backupUpdate: { reach: 'private', body: (ids) => ({ ...backup(ids), name: 'Letters' }) },
  backupPause: { reach: 'private', body: backup },
  backupRun: { reach: 'private', body: backup },
  backupCancel: { reach: 'private', body: backup },
  backupDelete: { reach: 'private', body: backup },
  backupUndelete: { reach: 'private', body: backup },
  backupUnlock: { reach: 'private', body: (ids) => ({ ...cluster(ids), ...backup(ids), box }) },
  backupProve: { reach: 'private', body: backup },
  backupAnswerAlarm: {
    reach: 'private',
    body: ({ backupId, snapshotId }) => ({ backupId, snapshotId, expected: false }),
  },
  backupRestore: { reach: 'private', body: ({ backupId, snapshotId }) => ({ backupId, snapshotId }) },

  // Money: the caller's own.
  getEstimatedAmount: {
    reach: 'private',
    body: (ids) => ({ ...cluster(ids), kind: 'worker', offering: 'tide-2' }),
  },
  getEstimatedRefundAmount: { reach: 'private', body: cluster },
  planShow: { reach: 'self' },
  planChangeEstimate: { reach: 'self', body: () => ({ planLevel: 1 }) },
  planChange: { reach: 'self', body: () => ({ planLevel: 0 }) },
  subscriptionPeriod: { reach: 'self' },
  customerInfo: { reach: 'self' },
  subscriptionsPage: { reach: 'self' },
  subscriptionsDetail: { reach: 'private', body: ({ subscriptionId }) => ({ subscriptionId }) },
  invoicesPage: { reach: 'self' },
  invoicesDetail: { reach: 'private', body: ({ invoiceId }) => ({ invoiceId }) },
  paymentPage: { reach: 'self' },
  paymentDetail: { reach: 'private', body: ({ paymentId }) => ({ paymentId }) },
  paymentPay: { reach: 'private', body: ({ invoiceId }) => ({ invoiceId }) },
  currentPaymentInfo: { reach: 'private', body: ({ invoiceId }) => ({ invoiceId }) },
  balancePage: { reach: 'self' },
  planUsage: { reach: 'self' },
  trafficUsage: { reach: 'self' },
  backupUsage: { reach: 'self' },
  backupSave: {
    reach: 'self',
    body: () => ({ backupId: 'photos', name: 'Photos', backupTime: 1_800_000_000, backupLocation: 'space' }),
  },
  backupStop: { reach: 'private', body: ({ clientBackupId }) => ({ backupId: clientBackupId }) },
  snapshotSave: { reach: 'open' },
  backupRegion: { reach: 'self' },
  stsTokenBackup: { reach: 'self', body: () => ({ cloudName: 'aws', region: 'us-east-1', clusterId: 'cmVlZg==' }) },
  stsTokenBackupRefresh: { reach: 'open' },
  productCalculate: { reach: 'self', body: () => ({ productType: 'cloud_traffic', quantity: '1' }) },
  noticeSeen: { reach: 'self', body: () => ({ object: 'cloud_traffic' }) },
  spendCapSet: { reach: 'self', body: () => ({ amount: 1000 }) },
  upcomingInvoice: { reach: 'self' },
  forecast: { reach: 'self', body: () => ({ months: 12 }) },
  timeTravel: { reach: 'self', body: () => ({ to: '2000-01-01T00:00:00Z' }) },
  // Custom domains
  domainList: { reach: 'self' },
  domainAdd: { reach: 'self', body: () => ({ domain: 'other.lagoon.example' }) },
  domainDetail: { reach: 'private', body: ({ domain }) => ({ domain }) },
  domainMoves: { reach: 'private', body: ({ domain }) => ({ domain }) },
  domainCheck: { reach: 'private', body: ({ domain }) => ({ domain }) },
  domainMethod: { reach: 'private', body: ({ domain }) => ({ domain, method: 'cname' }) },
  domainRestart: { reach: 'private', body: ({ domain }) => ({ domain }) },
  domainDelete: { reach: 'private', body: ({ domain }) => ({ domain }) },
  domainRuleSet: { reach: 'private', body: ({ domain }) => ({ domain, ruleType: 'specified_email_address' }) },
  requestDomainVC: { reach: 'private', body: ({ domain }) => ({ domain, jws: 'a.b.c' }) },
  submitDomainVP: { reach: 'private', body: ({ domain }) => ({ domain, jws: 'a.b.c' }) },
  domainMembers: { reach: 'private', body: ({ domain }) => ({ domain }) },
  memberAdd: { reach: 'private', body: ({ domain }) => ({ domain, name: 'lena' }) },
  memberPassword: { reach: 'private', body: ({ domain }) => ({ domain, name: 'kai' }) },
  memberEmail: { reach: 'private', body: ({ domain }) => ({ domain, name: 'kai', email: 'kai@gmail.com' }) },
  memberDelete: { reach: 'private', body: ({ domain }) => ({ domain, name: 'kai' }) },
  domainTransfer: { reach: 'private', body: ({ domain }) => ({ domain, to: 'kai' }) },
  domainTransferSign: { reach: 'private', body: ({ domain }) => ({ domain, jws: 'a.b.c' }) },
  domainTransferAccept: { reach: 'self', body: () => ({ domain: 'other.lagoon.example', jws: 'a.b.c' }) },
  domainTransferDelete: { reach: 'private', body: ({ domain }) => ({ domain }) },
  memberJoin: { reach: 'self', body: () => ({ jws: 'a.b.c' }) },
  // Asked by wallets before anybody signs in: who may join is no secret to those who may.
  domainRuleShow: { reach: 'open', body: ({ domain }) => ({ domain }) },
  couponRedeem: { reach: 'self', body: () => ({ code: 'REEF10' }) },
}

/**
 * Endpoints that are no calls, as `METHOD path`: `account` asks for a session as calls do. The others say why they
 * need none, or what they ask for instead.
 */
export const endpointRows: Readonly<Record<string, 'account' | { because: string }>> = {
  [`GET ${eventsPath}`]: 'account',
  [`POST ${auditExportPath}`]: 'account',
  [`POST ${invoicesExportPath}`]: 'account',
  [`GET ${invoiceFilesPath}/:file`]: 'account',
  [`GET ${statementPath}`]: 'account',
  [`GET ${statementKeyPath}`]: { because: 'a public key' },
  [`GET ${openMetricsPath}`]: { because: 'asks for a token of its own, which reads measurements alone' },
  'GET /v1/agent/channel': { because: 'an agent proves itself by its own token' },
  'POST /v1/relay/frps': {
    because: 'an operator’s frps asks; the machine it asks about proves itself by its own token',
  },
  'POST /create_local': { because: 'the body is signed' },
  'POST /bind_name': { because: 'the body is signed' },
  'POST /join_organization': { because: 'the body is signed' },
  'GET /name_domains': { because: 'what is offered to everybody' },
  'GET /get_name_by_did/*': { because: 'names are public' },
  'GET /1.0/identifiers/*': { because: 'DIDs are public' },
  'GET /1.0/name/*': { because: 'names are public' },
  'GET /name_taken/*': { because: 'names are public' },
  'GET /get_application_schema/Domain': { because: 'what is asked of everybody' },
  'GET /get_application_response/:id': { because: 'ids of what the applicant sent, without the credential' },
  'GET /get_presentation_definition/Domain': { because: 'what is asked of everybody' },
  'GET /schemas/:name': { because: 'what is asked of everybody' },
  'GET /v1/edge/ask': { because: 'a proxy asks before anybody signs in; whether a host answers, any visitor sees' },
  'GET /credentials/status/:list': { because: 'whoever reads a credential may ask; a place in a list names nobody' },
  'GET /avatars/:file': { because: 'pictures are public; the address is a hash of the picture' },
  'GET /outbox': { because: 'mails of a deployment on one machine, to whoever sits at it' },
  'GET /outbox/:name': { because: 'mails of a deployment on one machine, to whoever sits at it' },
  'GET /outbox/fonts/:file': { because: 'fonts are public' },
  'GET /pay/card/:id/:proof': { because: 'the address carries a proof, and only leads on' },
  'POST /pay/webhook/sandbox': { because: 'the gateway signs the body' },
  'GET /pay/sandbox/card/:id/:proof': { because: 'the address carries a proof' },
  'POST /pay/sandbox/card/:id/:proof': { because: 'the address carries a proof' },
  'GET /pay/sandbox/confirm/:id/:proof': { because: 'the address carries a proof' },
  'POST /pay/sandbox/confirm/:id/:proof': { because: 'the address carries a proof' },
  'GET /pay/sandbox/fonts/:file': { because: 'fonts are public' },
  'GET /enroll.sh': { because: 'the agent is no secret; its token is in the command' },
  'GET /agent/:name': { because: 'the agent is no secret' },
  'GET /healthz': { because: 'for whoever runs it' },
  'GET /readyz': { because: 'for whoever runs it' },
  'GET /metrics': { because: 'asks for ATOLL_METRICS_TOKEN when it is set' },
  'GET /openapi.json': { because: 'describes what anybody may ask' },
  'GET /config.json': { because: 'what a page needs before anybody signs in' },
  'GET /*': { because: 'the pages' },
  'OPTIONS *': { because: 'preflight of other origins' },
}
