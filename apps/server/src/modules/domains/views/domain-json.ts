import {
  type Domain,
  type DomainDetail,
  type DomainMethod,
  DomainVerdict,
  type DomainZone,
} from '@atoll/contract/domains'
import { z } from 'zod'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { DomainDeps, ServedZone } from '../domain-deps.ts'
import { recordsOf } from '../lifecycle/awaited.ts'
import { actionsOf } from '../lifecycle/domain-actions.ts'
import { giveUpMs } from '../lifecycle/domain-checks.ts'
import { isFinished } from '../lifecycle/domain-state.ts'
import { countJoined } from '../members/member-store.ts'
import { shownDomain } from '../names/shown-domain.ts'
import { txtNames, txtValue } from '../names/txt-record.ts'
import { type DomainRow, findLastCheck, findRival } from '../store/domain-store.ts'
import { transferJson } from '../transfers/transfer-json.ts'
import { findTransfer } from '../transfers/transfer-store.ts'

/** The ways in which a domain can be linked in this deployment. */
export function methodsOf({ dns }: Pick<DomainDeps, 'dns'>): DomainMethod[] {
  return dns.nameServers.length > 0 ? ['ns', 'cname'] : ['cname']
}

export async function domainJson(deps: DomainDeps, db: Db | Trx, row: DomainRow): Promise<Domain> {
  const name = await deps.findNameOf(db, row.userid)
  const isOwnName = name?.endsWith(`@${row.name}`) === true
  return {
    id: row.number,
    userid: row.userid,
    domain: row.name,
    shown: shownDomain(row.name),
    status: row.status,
    method: row.method,
    isApex: row.is_apex,
    ...(isOwnName && { terminusName: name }),
    did: row.userid,
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

/** What somebody else has proven comes before what was noted: nothing else helps. */
async function problemOf(deps: DomainDeps, db: Db | Trx, row: DomainRow): Promise<Domain['problem']> {
  const since = (row.problem_since ?? row.updated_at).toISOString()
  if (row.contest_until)
    return { key: 'contested', since: row.checks_since.toISOString(), until: row.contest_until.toISOString() }
  const rival = row.status === 'WAIT_TXT' ? await findRival(db, row) : undefined
  if (rival?.relation === 'same') {
    if (rival.contest_by === row.number && rival.contest_until)
      return { key: 'ownerAsked', since, until: rival.contest_until.toISOString() }
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
      nextAt: row.next_check_at?.toISOString() ?? null,
      until: isLimited(row) ? new Date(row.checks_since.getTime() + giveUpMs).toISOString() : null,
      passed: last?.passed ?? false,
      verdicts: last ? z.array(DomainVerdict).parse(last.verdicts) : [],
    },
    methods: methodsOf(deps),
    transfer: offer ? await transferJson(deps, deps.db, row.name, offer) : null,
    https: await deps.certificates.describe(deps.db, row.number),
    zone: zone ? zoneJson(row.name, zone) : null,
    provenAt: row.proven_at?.toISOString() ?? null,
    credentialUntil: credentialEnd?.toISOString() ?? null,
  }
}

/** A row for each name and type. Challenges of certificates come and go, and are left out. */
function zoneJson(domain: string, { serial, nameServers, records }: ServedZone): DomainZone {
  const rows: DomainZone['records'] = [
    { type: 'SOA', name: domain, values: nameServers.slice(0, 1) },
    { type: 'NS', name: domain, values: nameServers },
  ]
  for (const { name, type, value } of records) {
    if (type === 'TXT') continue
    const row = rows.find((one) => one.name === name && one.type === type)
    if (row) row.values.push(value)
    else rows.push({ type, name, values: [value] })
  }
  return { serial, records: rows }
}

/** Whether the checks of this step come to an end. */
function isLimited({ status, next_check_at: next, contest_until: contest }: DomainRow): boolean {
  return next !== null && contest === null && (status === 'WAIT_TXT' || status === 'WAIT_NS' || status === 'BINDING')
}
