/** Custom domains at each step and in each trouble, and what the console asks about them. */
import * as contract from '@atoll/contract/everything'
import type { Call, CallData } from '@atoll/contract/wire'
import { sampleClusters } from './sample-clusters.ts'
import { owner } from './sample-facts.ts'

const hour = 3600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()

type Facts = Partial<contract.DomainDetail> & { status: contract.DomainStatus }

const value = `atoll-verify=${'k7m2q5vx4tznp3hd6rw5c6bjae'}`
const servers = ['ns1.atoll.example', 'ns2.atoll.example']
const actions = {
  WAIT_TXT: ['check', 'delete'],
  WAIT_NS: ['check', 'method', 'restart', 'delete'],
  WAIT_REQUEST_VC: ['restart', 'delete'],
  WAIT_SUBMIT_VP: ['restart', 'delete'],
  WAIT_RULE_SET: ['restart', 'setRule', 'delete'],
  BINDING: ['check', 'setRule', 'delete'],
  BIND: ['check', 'method', 'setRule', 'delete'],
  ALLOCATED: ['check', 'method', 'setRule', 'transfer', 'delete'],
} as const satisfies Record<contract.DomainStatus, readonly contract.DomainAction[]>

let number = 0
function domain(name: string, facts: Facts): contract.DomainDetail {
  const { status, method = 'ns' } = facts
  number += 1
  const isAwaiting = status === 'WAIT_TXT' || status === 'WAIT_NS' || status === 'BINDING'
  const check = { ...checked([]).look, ...facts.look }
  const record: contract.DomainRecord =
    status === 'WAIT_TXT'
      ? {
          type: 'TXT',
          name: '_atoll-3f9ac1d2.lagoon.example',
          values: [value],
          alsoAt: `_atoll-3f9ac1d2.${name}`,
        }
      : method === 'ns'
        ? { type: 'NS', name, values: servers }
        : { type: 'CNAME', name: `*.${name}`, values: ['edge.atoll.example'] }
  return {
    id: number,
    userid: owner.userid,
    domain: name,
    shown: name,
    method,
    did: owner.userid,
    ns: `[${servers.join(',')}]`,
    problem: null,
    actions: [...actions[status]],
    methods: ['ns', 'cname'],
    createAt: ago(30),
    updateAt: ago(1),
    provenAt: status === 'WAIT_TXT' ? null : ago(20),
    records: [record],
    https: httpsAt(status),
    transfer: null,
    challengeAlias:
      method === 'cname' && (status === 'BIND' || status === 'ALLOCATED')
        ? {
            name: `_acme-challenge.${name}`,
            target: '3f9ac1d20b7e4c5a9d6e8f01.challenges.atoll.example',
            isSeen: false,
          }
        : null,
    zone: status === 'BINDING' && method === 'ns' ? zoneOf(name) : null,
    ownRecords: method === 'ns' && status !== 'WAIT_TXT' ? ownRecordsOf(name) : null,
    ruleRefused: status === 'WAIT_RULE_SET' ? 'gmail.com' : null,
    ruleProviders: [],
    credentialUntil: status === 'ALLOCATED' ? ago(-24 * 300) : null,
    isApex: name.split('.').length === 2,
    ...facts,
    look: isAwaiting ? check : { ...check, nextAt: ago(-0.6), until: null },
  }
}

function ownRecordsOf(name: string): contract.OwnRecord[] {
  return [
    { type: 'MX', name, value: '10 mail.north.example' },
    { type: 'TXT', name: `_dmarc.${name}`, value: 'v=DMARC1; p=none; rua=mailto:dmarc@north.example' },
  ]
}

function zoneOf(name: string): contract.DomainZone {
  return {
    serial: 4711,
    records: [
      { type: 'SOA', name, values: servers.slice(0, 1) },
      { type: 'NS', name, values: servers },
      { type: 'CAA', name, values: ['0 issue "ca.example"'] },
      { type: 'A', name: `lena.${name}`, values: ['192.0.2.40', '192.0.2.41'] },
      { type: 'A', name: `*.lena.${name}`, values: ['192.0.2.40', '192.0.2.41'] },
    ],
  }
}

/** As it mostly stands at a step. */
function httpsAt(status: contract.DomainStatus): contract.DomainHttps {
  const facts = { problem: null, actions: [] }
  if (status === 'BINDING') return { state: 'waiting', validUntil: null, ...facts }
  if (status === 'BIND' || status === 'ALLOCATED') return { state: 'valid', validUntil: ago(-24 * 60), ...facts }
  return { state: 'none', validUntil: null, ...facts }
}

const verdict = (
  server: string,
  kind: contract.VerdictKind,
  facts: Partial<contract.DomainVerdict> = {},
): contract.DomainVerdict => ({
  server,
  kind,
  name: 'cloud.lagoon.example',
  type: 'NS',
  side: server.includes('.') || server === '' ? 'parent' : 'resolver',
  ...facts,
})
function checked(verdicts: contract.DomainVerdict[], passed = false): Pick<contract.DomainDetail, 'look'> {
  return { look: { checkedAt: ago(0.01), nextAt: ago(-0.013), until: ago(-24 * 6), passed, verdicts } }
}
const trouble = (
  kind: contract.VerdictKind,
  facts: Partial<contract.DomainVerdict> = {},
  servers = ['a.ns.registrar.example', 'b.ns.registrar.example'],
) =>
  checked([
    ...servers.map((server) => verdict(server, kind, facts)),
    verdict('Cloudflare', kind === 'caaForbids' ? 'match' : kind, facts),
    verdict('Google', 'stillCached', { clearsIn: 2280 }),
    verdict('Quad9', 'noAnswer'),
  ])
const problem = (key: contract.DomainProblem, other?: string): Pick<contract.DomainDetail, 'problem'> => ({
  problem: { key, since: ago(40), ...(other !== undefined && { other }) },
})
const contest = (key: 'contested' | 'ownerAsked'): Pick<contract.DomainDetail, 'problem'> => ({
  problem: { key, since: ago(6), until: ago(-162) },
})
const suffixes = { rule_type: 'fixed_email_suffix', rule_data: 'mail.example,lagoon.example' } as const

const offered: contract.DomainTransfer = {
  id: 'transfer-1',
  domain: 'mole.example',
  shown: 'mole.example',
  from: 'ada@mole.example',
  to: 'lena@mole.example',
  toUserid: owner.userid,
  isSigned: false,
  until: ago(-20),
}
const txtName = '_atoll-3f9ac1d2.lagoon.example'
const wrong = {
  type: 'TXT',
  name: txtName,
  zone: 'lagoon.example',
  found: [value.replace('2q5v', '2qsv')],
  nearly: true,
}
/** By the words under which `console-states.ts` asks for them. */
export const sampleDomains = {
  proving: domain('cloud.lagoon.example', {
    status: 'WAIT_TXT',
    ...trouble('wrongValue', wrong, ['ns01.domaincontrol.com', 'ns02.domaincontrol.com']),
  }),
  handing: domain('reef.lagoon.example', {
    status: 'WAIT_NS',
    ...checked([
      verdict('a.nic.example', 'match'),
      verdict('b.nic.example', 'serversDisagree', { found: ['dns1.registrar.example'], agree: { have: 1, of: 2 } }),
      verdict('Cloudflare', 'match'),
      verdict('Google', 'stillCached', { clearsIn: 720 }),
    ]),
  }),
  apex: domain('north.example', { status: 'WAIT_NS', method: 'cname', ...trouble('missing') }),
  applying: domain('south.lagoon.example', { status: 'WAIT_REQUEST_VC', records: [] }),
  presenting: domain('east.lagoon.example', { status: 'WAIT_SUBMIT_VP', records: [] }),
  ruling: domain('west.lagoon.example', { status: 'WAIT_RULE_SET', records: [] }),
  binding: domain('motu.lagoon.example', {
    status: 'BINDING',
    records: [],
    ...suffixes,
    ...checked([
      { kind: 'match', after: 4, server: servers[0] ?? '', side: 'ours', name: 'motu.lagoon.example', type: 'SOA' },
    ]),
  }),
  naming: domain('islet.lagoon.example', { status: 'BIND', ...suffixes }),
  inUse: domain('lagoon.example', {
    status: 'ALLOCATED',
    isApex: true,
    terminusName: 'lena@lagoon.example',
    members: 2,
    ...suffixes,
    ...checked([verdict('a.nic.example', 'match')], true),
  }),
  lost: domain('harbour.example', {
    status: 'ALLOCATED',
    terminusName: 'lena@harbour.example',
    rule_type: 'specified_email_address',
    rule_data: '',
    ...problem('delegationLost'),
    https: {
      state: 'expired',
      validUntil: ago(30),
      problem: {
        key: 'challengeFailed',
        fault: 'owner',
        since: ago(39),
        nextAt: ago(-4),
        detail: 'DNS problem: NXDOMAIN looking up TXT for _acme-challenge.harbour.example',
      },
      actions: ['retry'],
    },
    ...trouble('wrongValue', { found: ['dns1.registrar.example', 'dns2.registrar.example'] }),
  }),
  moving: domain('quay.example', { status: 'BIND', method: 'cname', ...suffixes, ...problem('methodWaits') }),
  paused: domain('xn--bcher-kva.example', {
    status: 'WAIT_NS',
    shown: 'bücher.example',
    ...problem('checksPaused'),
    look: {
      checkedAt: ago(9),
      nextAt: null,
      until: null,
      passed: false,
      verdicts: [verdict('a.nic.example', 'missing')],
    },
  }),
  contested: domain('atollring.example', {
    status: 'ALLOCATED',
    method: 'cname',
    terminusName: 'lena@atollring.example',
    ...suffixes,
    ...contest('contested'),
    records: [{ type: 'TXT', name: '_atoll-91be07c4.atollring.example', values: [value] }],
    ...trouble('missing', { type: 'TXT', name: '_atoll-91be07c4.atollring.example' }),
  }),
  asked: domain('lagune.example', { status: 'WAIT_TXT', ...contest('ownerAsked') }),
  refused: domain('bar.lagune.example', { status: 'WAIT_TXT', ...problem('claimRefused') }),
  handedOn: domain('deck.example', {
    status: 'ALLOCATED',
    method: 'cname',
    terminusName: 'lena@deck.example',
    ...suffixes,
    transfer: { ...offered, domain: 'deck.example', shown: 'deck.example', to: 'jonas@deck.example' },
  }),
  taken: domain('shoal.example', { status: 'WAIT_TXT', ...problem('provenByOther') }),
  above: domain('deep.reef.example', { status: 'WAIT_TXT', ...problem('parentProven', 'reef.example') }),
  below: domain('tide.example', { status: 'WAIT_TXT', ...problem('childProven', 'cloud.tide.example') }),
  unseen: domain('dune.lagoon.example', {
    status: 'WAIT_REQUEST_VC',
    problem: { key: 'proofUnseen', since: ago(40), until: ago(-128) },
    records: [
      { type: 'TXT', name: '_atoll-91be07c4.lagoon.example', values: [value] },
      { type: 'NS', name: 'dune.lagoon.example', values: servers },
    ],
  }),
  lapsed: domain('sand.lagoon.example', { status: 'WAIT_TXT', ...problem('proofLapsed') }),
  serverless: domain('palm.lagoon.example', { status: 'WAIT_NS', ...problem('noNameServers'), records: [] }),
  broken: domain('coral.lagoon.example', { status: 'WAIT_NS', ...trouble('dnssecBroken', { extendedError: 7 }) }),
  doubled: domain('pearl.lagoon.example', { status: 'WAIT_TXT', ...trouble('nameDoubled', { type: 'TXT' }) }),
  bare: domain('shell.lagoon.example', {
    status: 'WAIT_TXT',
    ...trouble('noUnderscore', { type: 'TXT', name: txtName }),
  }),
  misplaced: domain('cove.lagoon.example', {
    status: 'WAIT_NS',
    method: 'cname',
    ...trouble('wrongPlace', { type: 'CNAME', name: '*.cove.lagoon.example', found: ['cove.lagoon.example'] }),
  }),
  own: domain('sandbar.lagoon.example', { status: 'WAIT_NS', ...trouble('ownAddress', { found: ['192.0.2.78'] }) }),
  mixed: domain('drift.lagoon.example', {
    status: 'WAIT_NS',
    ...trouble('otherServers', { found: [...servers, 'dns1.registrar.example'] }),
  }),
  signed: domain('kelp.lagoon.example', { status: 'WAIT_NS', ...trouble('dsLeft', { type: 'DS' }) }),
  proxied: domain('foam.lagoon.example', {
    status: 'WAIT_NS',
    method: 'cname',
    ...trouble('proxied', { type: 'CNAME', found: ['192.0.2.77'] }),
  }),
}
export type SampleDomain = keyof typeof sampleDomains

export const sampleDomainPath = (which: SampleDomain, page: 'domain' | 'domainMobile' = 'domain') =>
  `/${page}/${contract.toDomainBase(sampleDomains[which].domain)}`

const member = (name: string, facts: Partial<contract.DomainMember> = {}): contract.DomainMember => ({
  name,
  terminusName: `${name}@lagoon.example`,
  userid: null,
  isAdmin: false,
  email: null,
  state: 'invited',
  expireAt: ago(-24 * 7),
  joinedAt: null,
  createAt: ago(24),
  actions: ['renew', 'mail', 'delete'],
  addresses: [],
  ...facts,
})
/** As many letters and digits as a real one has. */
const oneTimePassword = 'k7m2q5vx4tzn'
const joined: Partial<contract.DomainMember> = { state: 'joined', expireAt: null, actions: [] }
const address = (host: string, clusterName: string, validUntil: string | null): contract.MemberAddress => ({
  host: `${host}.lagoon.example`,
  clusterId: sampleClusters[0]?.clusterId ?? '',
  clusterName,
  validUntil,
})
const ofLena = [
  address('lena', 'Rangiroa', ago(-24 * 60)),
  address('*.lena', 'Rangiroa', ago(-24 * 54)),
  address('lena-2', 'Manihi', null),
]
const sampleMembers = [
  member('lena', { ...joined, userid: owner.userid, isAdmin: true, joinedAt: ago(24 * 60), addresses: ofLena }),
  member('jonas', {
    ...joined,
    userid: `did:key:z6Mk${'j'.repeat(44)}`,
    email: 'jonas@mail.example',
    joinedAt: ago(24 * 45),
    actions: ['remove'],
    addresses: [address('jonas', 'Fakarava', ago(24))],
  }),
  member('sami', { email: 'sami.rautavaara@mail.example' }),
  member('office', { state: 'lapsed', expireAt: ago(24), createAt: ago(24 * 8) }),
]

function sampleCertificates(domain: string): contract.DomainCertificate[] {
  const one = (names: string[], facts: Partial<contract.DomainCertificate> = {}): contract.DomainCertificate => ({
    names,
    state: 'valid',
    validUntil: ago(-24 * 60),
    isRenewed: true,
    visitedAt: null,
    problem: null,
    actions: [],
    ...facts,
  })
  return [
    one([domain, `*.${domain}`]),
    one([`*.lena.${domain}`], { state: 'waiting', validUntil: null, problem: 'caUnreachable' }),
    one([`photos.jonas.${domain}`], { visitedAt: ago(24), actions: ['remove'] }),
    one([`notes.jonas.${domain}`], {
      validUntil: ago(-24 * 9),
      isRenewed: false,
      visitedAt: ago(24 * 41),
      actions: ['remove'],
    }),
  ]
}

const answer = <C extends Call>(
  call: C,
  data: CallData<C> | ((fields: URLSearchParams) => CallData<C>),
): [Call, unknown] => [call, data]

/** `isEmpty`: of an account without domains. */
export function sampleDomainAnswers(isEmpty: boolean): [Call, unknown][] {
  const all = Object.values(sampleDomains)
  const asked = (fields: URLSearchParams) => all.find((each) => each.domain === fields.get('domain')) ?? all[0]
  const { proving, handing, applying, inUse, lost, paused, taken } = sampleDomains
  // As many as a crawl presses through in reasonable time; the others have their pages.
  const listed = [proving, handing, applying, inUse, lost, paused, taken].map(
    ({
      transfer: _transfer,
      records: _records,
      look: _look,
      methods: _methods,
      https: _https,
      provenAt: _provenAt,
      zone: _zone,
      ...facts
    }) => facts satisfies contract.Domain,
  )
  const first = listed[0]
  const detail = (fields: URLSearchParams) => asked(fields) ?? sampleDomains.proving
  const invited = { member: member('sami', { email: 'sami@mail.example' }), oneTimePassword, mailed: false }
  if (!first) throw new Error('there is no sample of a domain')
  return [
    answer(contract.domainList, {
      domains: isEmpty ? [] : listed,
      methods: ['ns', 'cname'],
      offers: isEmpty ? [] : [offered],
    }),
    answer(contract.domainTransfer, offered),
    answer(contract.domainTransferDelete, {}),
    answer(contract.domainDetail, detail),
    answer(contract.domainAdd, first),
    answer(contract.domainCheck, first),
    answer(contract.domainHttpsRetry, sampleDomains.lost.https),
    answer(contract.domainCertificateRemove, {}),
    answer(contract.domainCertificates, (fields) => {
      const certificates = sampleCertificates(asked(fields)?.domain ?? '')
      return { certificates, page: 1, rowsPerPage: 20, rowsNumber: certificates.length }
    }),
    answer(contract.domainMethod, first),
    answer(contract.domainRestart, first),
    answer(contract.domainDelete, {}),
    answer(contract.domainMembers, (fields) => {
      const under = asked(fields)?.domain
      const members = sampleMembers.map((each) => ({ ...each, terminusName: `${each.name}@${under}` }))
      return { members, page: 1, rowsPerPage: 20, rowsNumber: members.length }
    }),
    answer(contract.memberAdd, invited),
    answer(contract.memberPassword, invited),
    answer(contract.memberEmail, { ...invited, mailed: true }),
    answer(contract.memberDelete, {}),
    answer(contract.domainRuleSet, { ruleType: 'fixed_email_suffix', ruleData: 'mail.example' }),
    answer(contract.domainRecordAdd, { records: ownRecordsOf('lagoon.example') }),
    answer(contract.domainRecordDelete, { records: ownRecordsOf('lagoon.example') }),
    answer(contract.domainMoves, (fields) => {
      const name = asked(fields)?.domain ?? ''
      const records: contract.MovedRecords = [
        { type: 'MX', name, values: ['10 mail.north.example'] },
        { type: 'A', name, values: ['192.0.2.7'] },
        { type: 'TXT', name, values: ['v=spf1 mx -all'] },
        { type: 'TXT', name: `_dmarc.${name}`, values: ['v=DMARC1; p=none'] },
      ]
      return { records }
    }),
  ]
}
