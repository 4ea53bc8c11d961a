import {
  type Domain,
  type DomainDetail,
  type DomainMethod,
  DomainVerdict,
  type DomainZone,
} from '@atoll/contract/domains'
import { z } from 'zod'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { getDid } from '../../accounts/index.ts'
import type { DomainDeps, ServedZone } from '../domain-deps.ts'
import { recordsOf } from '../lifecycle/awaited.ts'
import { actionsOf } from '../lifecycle/domain-actions.ts'
import { giveUpMs } from '../lifecycle/domain-checks.ts'
import { lapseOf } from '../lifecycle/proof.ts'
import { isMailProvider } from '../names/mail-providers.ts'
import { shownDomain } from '../names/shown-domain.ts'
import { txtNames, txtValue } from '../names/txt-record.ts'
import { isBound, isFinished, isProven } from '../records/domain-state.ts'
import { type DomainRow, findDomain, findLastCheck, findRival } from '../records/domain-store.ts'
import { countJoined } from '../records/member-store.ts'
import { listOwnRecords } from '../records/own-record-store.ts'
import { findTransfer } from '../records/transfer-store.ts'
import { transferJson } from '../transfers/transfer-json.ts'

/** The ways in which a domain can be linked in this deployment. */
export function methodsOf({ dns }: Pick<DomainDeps, 'dns'>): DomainMethod[] {
  return dns.nameServers.length > 0 ? ['ns', 'cname'] : ['cname']
}

export async function domainJson(deps: DomainDeps, db: Db | Trx, row: DomainRow): Promise<Domain> {
  const name = await deps.findNameOf(db, row.userid)
  const did = await getDid(db, row.userid)
  const isOwnName = name?.endsWith(`@${row.name}`) === true
  return {
    id: row.number,
    userid: did,
    domain: row.name,
    shown: shownDomain(row.name),
    status: row.status,
    method: row.method,
    isApex: row.is_apex,
    ...(isOwnName && { terminusName: name }),
    did,
    ...((!isFinished(row.status) || row.contest_until !== null) && {
      txt: { name: txtNames({ domain: row.name, isApex: row.is_apex })[0], value: txtValue(row.txt_token) },
    }),
    ...(row.method === 'ns' && deps.dns.nameServers.length > 0 && { ns: `[${deps.dns.nameServers.join(',')}]` }),
    ...(row.full_string !== null && { fullString: row.full_string }),
    ...(row.rule_type !== null && { rule_type: row.rule_type, rule_data: row.rule_data ?? '' }),
    ...(row.status === 'ALLOCATED' && { members: await countJoined(db, row.number) }),
    problem: await problemOf(deps, db, row),
    actions: actionsOf(row),
    createAt: row.created_at.toISOString(),
    updateAt: row.updated_at.toISOString(),
  }
}

/** Another account's proof is reported before a noted problem: solving that problem would not help. */
async function problemOf(deps: DomainDeps, db: Db | Trx, row: DomainRow): Promise<Domain['problem']> {
  const since = (row.problem_since ?? row.updated_at).toISOString()
  if (row.contest_until) {
    const claim = row.contest_by === null ? undefined : await findDomain(db, row.contest_by)
    const times = { since: row.checks_since.toISOString(), until: row.contest_until.toISOString() }
    return { key: 'contested', ...times, ...(claim && claim.name !== row.name && { other: claim.name }) }
  }
  const lapse = row.unseen_since && !isFinished(row.status) ? lapseOf(row.unseen_since) : null
  // One that is over is decided by the check that is under way.
  if (row.unseen_since && lapse && lapse > deps.clock.now())
    return { key: 'proofUnseen', since: row.unseen_since.toISOString(), until: lapse.toISOString() }
  const rival = row.status === 'WAIT_TXT' ? await findRival(db, row) : undefined
  if (rival?.contest_by === row.number && rival.contest_until)
    return {
      key: 'ownerAsked',
      since,
      until: rival.contest_until.toISOString(),
      ...(rival.relation !== 'same' && { other: rival.name }),
    }
  if (rival?.relation === 'same') {
    return {
      key: row.contested_at ? 'claimRefused' : 'provenByOther',
      since: (row.contested_at ?? row.updated_at).toISOString(),
    }
  }
  if (rival) return { key: rival.relation === 'parent' ? 'parentProven' : 'childProven', since, other: rival.name }
  if (row.problem) return { key: row.problem, since }
  const isLost = row.method === 'ns' && deps.dns.nameServers.length === 0 && row.status !== 'WAIT_TXT'
  return isLost ? { key: 'noNameServers', since } : null
}

export async function domainDetailJson(deps: DomainDeps, row: DomainRow): Promise<DomainDetail> {
  const [json, last, offer, zone, credentialEnd] = await Promise.all([
    domainJson(deps, deps.db, row),
    findLastCheck(deps.db, row),
    findTransfer(deps.db, row.number, deps.clock.now()),
    row.status === 'BINDING' && row.method === 'ns' ? deps.dns.findZone(deps.db, row.name) : undefined,
    deps.credentials.findEnd(deps.db, row.number),
  ])
  const isAwaiting = row.next_check_at !== null || row.problem === 'checksPaused'
  return {
    ...json,
    records: isAwaiting ? recordsOf(deps, row) : [],
    look: {
      checkedAt: last?.at.toISOString() ?? null,
      // While the checks of its step pause, a proof is still looked at.
      nextAt: row.problem === 'checksPaused' ? null : (row.next_check_at?.toISOString() ?? null),
      until: isLimited(row) ? new Date(row.checks_since.getTime() + giveUpMs).toISOString() : null,
      passed: last?.passed ?? false,
      verdicts: last ? z.array(DomainVerdict).parse(last.verdicts) : [],
    },
    methods: methodsOf(deps),
    transfer: offer ? await transferJson(deps, deps.db, row.name, offer) : null,
    https: await deps.certificates.describe(deps.db, row.number),
    challengeAlias: challengeAliasOf(deps, row),
    zone: zone ? zoneJson(row.name, zone) : null,
    ownRecords: row.method === 'ns' && isProven(row.status) ? await listOwnRecords(deps.db, row.number) : null,
    provenAt: row.proven_at?.toISOString() ?? null,
    ruleRefused: row.rule_refused,
    ruleProviders:
      row.rule_type === 'fixed_email_suffix' ? (row.rule_data ?? '').split(',').filter(isMailProvider) : [],
    credentialUntil: credentialEnd?.toISOString() ?? null,
  }
}

/** Where the owner may point challenges, once the domain is used by CNAME. */
function challengeAliasOf({ dns }: DomainDeps, row: DomainRow): DomainDetail['challengeAlias'] {
  if (!dns.challenges || row.method !== 'cname' || !isBound(row.status)) return null
  return { name: `_acme-challenge.${row.name}`, target: dns.challenges.zoneOf(row.name), isSeen: row.challenge_alias }
}

/** A row for each name and type. Challenges of certificates come and go, and are left out. */
function zoneJson(domain: string, { serial, nameServers, records }: ServedZone): DomainZone {
  const rows: DomainZone['records'] = [
    { type: 'SOA', name: domain, values: nameServers.slice(0, 1) },
    { type: 'NS', name: domain, values: nameServers },
  ]
  for (const { name, type, value } of records) {
    if (name.startsWith('_acme-challenge.')) continue
    const row = rows.find((one) => one.name === name && one.type === type)
    if (row) row.values.push(value)
    else rows.push({ type, name, values: [value] })
  }
  return { serial, records: rows }
}

/** Whether the checks of this step come to an end. */
function isLimited({ status, problem, next_check_at: next, contest_until: contest }: DomainRow): boolean {
  return (
    next !== null &&
    problem !== 'checksPaused' &&
    contest === null &&
    (status === 'WAIT_TXT' || status === 'WAIT_NS' || status === 'BINDING')
  )
}
