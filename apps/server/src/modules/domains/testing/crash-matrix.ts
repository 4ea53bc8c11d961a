/**
 * The crash matrix of domains: a process is killed before every statement that writes, every commit and every call of
 * the certification authority, at each event of a domain. The act is then repeated, two workers run concurrently, and
 * the domain ends in the same state as without the kill: one credential, one zone, one certificate for each name. The
 * same with the database away after any of these statements, the answer to a commit lost. Certificates are issued in
 * one row only, `serving`: earlier rows end where they are ordered.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createScriptedWallet, createTestDatabase, type ScriptedWallet, type TestDatabase } from '@atoll/testkit'
import { afterAll, beforeAll, expect } from 'vitest'
import { bundledProgram } from '../../../../../../scripts/testing/bundled-program.ts'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import { makeAccount } from '../../accounts/testing/make-account.ts'
import { countBoundaries, runToBoundary } from '../../clusters/testing/boundary-pool.ts'
import { findDomain } from '../records/domain-store.ts'
import { type Ask, buildCrashHarness, type CrashHarness, type Task } from './crash-harness.ts'
import type { CrashingOptions } from './crashing-domain-worker.ts'
import { cutAfterBoundary, runToCut } from './cut-pool.ts'
import { listIssued } from './folder-ca.ts'
import { createDocuments } from './wallet-documents.ts'

const program = fileURLToPath(new URL('crashing-domain-worker.ts', import.meta.url))
let folder: string
let testDatabase: TestDatabase
/** Both workers after the one that died. */
let workers: [CrashHarness, CrashHarness]
/** Whose database can be cut off. */
let cut: CrashHarness

/** For a test file: a database and the workers on it, there for all of its tests. */
export function useCrashMatrix(): {
  killAnywhere(row: CrashRow): Promise<void>
  cutAnywhere(row: CrashRow): Promise<void>
} {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atoll-domain-crash-'))
    testDatabase = await createTestDatabase()
    const options = { databaseUrl: testDatabase.url, folder, poolSize: 20 }
    workers = [buildCrashHarness({ ...options, wrapPool: countBoundaries }), buildCrashHarness(options)]
    cut = buildCrashHarness({ ...options, wrapPool: cutAfterBoundary })
  })
  afterAll(async () => {
    for (const worker of [...workers, cut]) await worker.close()
    await testDatabase.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { killAnywhere, cutAnywhere }
}

interface Subject {
  task: Task
  wallet: ScriptedWallet
  number: number
}
let serial = 0

/** A domain just before `ask`; `ask` null with `after`: that was asked, and the jobs have not begun. */
async function prepare({ ask, after }: CrashRow): Promise<Subject> {
  serial += 1
  const domain = `cloud.crash${serial}.example`
  const [worker] = workers
  const wallet = createScriptedWallet()
  const { did } = wallet
  const at = worker.clock.now()
  const { userid } = await makeAccount(worker.db, { did, created_at: at })
  await worker.db.insertInto('dids').values({ did, registered_at: at }).execute()
  const caller: Caller = { userid, did, sessionId: newId('ss'), role: 'User', ip: '192.0.2.9' }
  const task = (what: Ask) => ({ caller, domain, ask: what })
  for (const step of after) {
    await worker.send(await withPaper(worker, task(step), wallet))
    if (step !== after.at(-1) || ask !== null) await worker.settle(domain, {})
  }
  const { number } = await worker.db
    .selectFrom('domains')
    .select('number')
    .where('name', '=', domain)
    .executeTakeFirstOrThrow()
  return { task: await withPaper(worker, task(ask), wallet), wallet, number }
}

/** A request for an ID is valid for minutes, and many processes die meanwhile: the wallet signs it again. */
async function asAskedNow({ task, wallet }: Subject): Promise<Task> {
  return task.ask === 'bind' ? await withPaper(workers[0], task, wallet) : task
}

async function withPaper(worker: CrashHarness, task: Task, wallet: ScriptedWallet): Promise<Task> {
  const { domain, ask } = task
  const time = worker.clock.now().getTime()
  const documents = createDocuments(wallet, 'https://atoll.test', time)
  if (ask === 'issue') return { ...task, jws: documents.application(domain) }
  if (ask === 'bind') return { ...task, jws: wallet.sign({ name: `lena@${domain}`, did: wallet.kid, time }) }
  if (ask !== 'present' && ask !== 'presentNamed') return task
  const row = await worker.db
    .selectFrom('domains')
    .select('full_string')
    .where('name', '=', domain)
    .executeTakeFirstOrThrow()
  return { ...task, jws: documents.presentation(JSON.parse(row.full_string ?? '').verifiableCredentials) }
}

export interface CrashRow {
  what: string
  after: Ask[]
  ask: Ask
  /** The final state, without audit; `certificates` are the names that are ordered, and issued if `isIssued`. */
  end: { status: string | undefined; credentials: number; zones: number; names: number; certificates: string[] }
  recorded: string[]
  /** Certificates are issued too. */
  isIssued?: boolean
  /** It waits for what all domains have in common, so each death is a process of its own. */
  alone?: boolean
}

const nothing = { credentials: 0, zones: 0, names: 0, certificates: [] as string[] }
const proven = ['domain.add', 'domain.prove', 'domain.delegate']
const presented = [...proven, 'domain.issue', 'domain.present']
const linked = [...presented, 'domain.serve']
const ruled = [...presented, 'domain.setRule', 'domain.serve']
export const crashRows: CrashRow[] = [
  {
    what: 'the proof and the delegation',
    after: ['add'],
    ask: null,
    recorded: proven,
    end: { ...nothing, status: 'WAIT_REQUEST_VC', zones: 1 },
  },
  {
    what: 'issuing',
    after: ['add'],
    ask: 'issue',
    recorded: [...proven, 'domain.issue'],
    end: { ...nothing, status: 'WAIT_SUBMIT_VP', zones: 1, credentials: 1 },
  },
  {
    what: 'presenting',
    after: ['add', 'issue'],
    ask: 'present',
    recorded: presented,
    end: { ...nothing, status: 'WAIT_RULE_SET', zones: 1, credentials: 1 },
  },
  {
    what: 'deciding who may join',
    after: ['add', 'issue', 'present'],
    ask: 'setRule',
    recorded: ruled,
    end: { status: 'BIND', zones: 1, credentials: 1, names: 0, certificates: ['', '*.'] },
  },
  {
    what: 'taking the first ID',
    after: ['add', 'issue', 'present', 'setRule'],
    ask: 'bind',
    alone: true,
    recorded: [...ruled, 'domain.allocate'],
    end: { status: 'ALLOCATED', zones: 1, credentials: 1, names: 1, certificates: ['', '*.', '*.lena.'] },
  },
  {
    what: 'presenting with the first ID',
    after: ['add', 'issue'],
    ask: 'presentNamed',
    alone: true,
    recorded: linked,
    end: { status: 'ALLOCATED', zones: 1, credentials: 1, names: 1, certificates: ['', '*.', '*.lena.'] },
  },
  {
    what: 'serving, with certificates',
    after: ['add', 'issue', 'presentNamed'],
    ask: null,
    recorded: linked,
    isIssued: true,
    end: { status: 'ALLOCATED', zones: 1, credentials: 1, names: 1, certificates: ['', '*.', '*.lena.'] },
  },
  {
    what: 'starting over',
    after: ['add', 'issue'],
    ask: 'restart',
    recorded: [...proven, 'domain.issue', 'domain.restart', 'domain.prove', 'domain.delegate'],
    end: { ...nothing, status: 'WAIT_REQUEST_VC', zones: 1 },
  },
  {
    what: 'removing',
    after: ['add', 'issue', 'presentNamed'],
    ask: 'remove',
    alone: true,
    recorded: [...linked, 'domain.remove'],
    end: { ...nothing, status: undefined },
  },
]

async function expectEnd(
  { task: { domain }, number }: Subject,
  { end, recorded, isIssued = false }: CrashRow,
): Promise<void> {
  const { db } = workers[0]
  const [row, credentials, zones, names, certificates, audit] = await Promise.all([
    findDomain(db, number),
    db.selectFrom('credentials').select('id').where('domain', '=', number).where('revoked_at', 'is', null).execute(),
    db.selectFrom('zones').select('domain').where('domain', '=', domain).execute(),
    db.selectFrom('names').select('name').where('name', 'like', `%@${domain}`).execute(),
    db.selectFrom('certificates').select(['names', 'chain']).where('domain', '=', number).execute(),
    db
      .selectFrom('audit_entries')
      .select('action')
      .where('object_id', '=', String(number))
      .where('object_kind', '=', 'domain')
      .orderBy('seq')
      .execute(),
  ])
  if (isIssued) expect(certificates.filter(({ chain }) => chain === null)).toEqual([])
  const wanted = certificates.flatMap((certificate) => certificate.names)
  expect({
    status: row?.status,
    credentials: credentials.length,
    zones: zones.length,
    names: names.length,
    certificates: wanted.map((name) => name.slice(0, -domain.length)).toSorted(),
  }).toEqual(end)
  expect(audit.map(({ action }) => action)).toEqual(recorded)
}

async function die(tasks: CrashingOptions['tasks']): Promise<number> {
  const options: CrashingOptions = { databaseUrl: testDatabase.url, folder, tasks }
  const args = [await bundledProgram(program), JSON.stringify(options)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, complaint, [, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  expect([signal, complaint]).toEqual(['SIGKILL', ''])
  return Number(said)
}

/** `work` for each of these, `atATime` at once. */
async function each<T>(atATime: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atATime }, lane))
}

/** A task of a subject, and where it stops. */
type Death = { boundary: number; subject: Subject }

/** All of these, two processes at a time; gives how many tasks had stopped. */
async function dieAll(deaths: Death[][]): Promise<number> {
  let stopped = 0
  await each(2, deaths, async (death) => {
    const more = await die(
      await Promise.all(death.map(async ({ boundary, subject }) => ({ boundary, task: await asAskedNow(subject) }))),
    )
    stopped += more
  })
  await untilUnlocked()
  return stopped
}

/** PostgreSQL ends the connections of who died when it notices; until then their locks hold the next worker off. */
async function untilUnlocked(): Promise<void> {
  const held = `select from pg_locks join pg_database d on d.oid = database
    where locktype = 'advisory' and datname = current_database()`
  await expect.poll(async () => (await workers[0].database.pool.query(held)).rowCount).toBe(0)
}

/** Each act is repeated, two workers run, and each subject ends as `row` says. */
async function expectAllEnd(subjects: readonly Subject[], row: CrashRow): Promise<void> {
  const [first, second] = workers
  await each(6, subjects, async (subject) => {
    const { domain } = subject.task
    await first.send(await asAskedNow(subject))
    await Promise.all([first.settle(domain, row), second.settle(domain, row)])
    await expectEnd(subject, row)
  })
  const issued = listIssued(join(folder, 'ca'))
  expect(issued).toEqual([...new Set(issued)])
}

async function killAnywhere(row: CrashRow): Promise<void> {
  const [first] = workers
  const model = await prepare(row)
  const { passed } = await runToBoundary(Number.POSITIVE_INFINITY, () => workOf(first, model, row))
  await first.settle(model.task.domain, row)
  await expectEnd(model, row)
  expect(passed).toBeGreaterThan(4)

  const subjects: Subject[] = []
  await each(6, Array.from({ length: passed }).fill(null), async () => void subjects.push(await prepare(row)))
  const crashing = subjects.map((subject, index) => ({ boundary: index + 1, subject }))
  const stopped = await dieAll(row.alone ? crashing.map((one) => [one]) : [crashing])
  // The very first one makes the key that issues.
  expect(stopped).toBeGreaterThanOrEqual(passed - 1)
  await expectAllEnd(subjects, row)
}

async function cutAnywhere(row: CrashRow): Promise<void> {
  const model = await prepare(row)
  const { passed } = await runToCut(Number.POSITIVE_INFINITY, () => workOf(cut, model, row))
  expect(passed).toBeGreaterThan(4)
  const subjects: Subject[] = []
  const boundaries = Array.from({ length: passed }, (_, index) => index + 1)
  await each(6, boundaries, async (boundary) => {
    const subject = await prepare(row)
    await runToCut(boundary, () => workOf(cut, subject, row))
    subjects.push(subject)
  })
  await untilUnlocked()
  await expectAllEnd(subjects, row)
}

/** The work during which the process dies: the act, or where there is none, the jobs. */
function workOf(worker: CrashHarness, { task }: Subject, row: CrashRow): Promise<void> {
  return row.ask === null ? worker.settle(task.domain, row) : worker.send(task)
}
