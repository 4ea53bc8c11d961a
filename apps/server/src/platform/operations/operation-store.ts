/**
 * Operations: what a person or the system does to a subject, from asking to its end. A subject is any object of a
 * module, named by kind and id; one operation runs on it at a time (unique index `operations_running_key`).
 * Writers  the module that owns the subject, in the transaction that changes it and under that subject's lock.
 * Repeats  ending twice, or entering a step twice, changes nothing.
 */
import { type ColumnType, type Expression, type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import { newId } from '../crypto.ts'
import type { Db, Trx } from '../db/index.ts'
import { beginSteps, endSteps, enterStep, type StoredReason, type StoredStep } from './operation-steps.ts'

interface OperationsTable {
  id: string
  owner: string
  subject_kind: string
  subject_id: string
  /** On whose page it stands; null: on no cluster's. */
  cluster_id: string | null
  kind: string
  state: 'running' | 'done' | 'failed' | 'canceled'
  /** jsonb: read as the value, written as JSON text. */
  steps: ColumnType<StoredStep[], string, string>
  /** Userid; null: the system. */
  asked_by: string | null
  started_at: Date
  deadline_at: Date
  ended_at: Generated<Date | null>
  /** JSON of a `StoredReason`. */
  error: Generated<string | null>
}

declare module '../db/index.ts' {
  interface Tables {
    operations: OperationsTable
  }
}

export type OperationRow = Selectable<OperationsTable>

export interface Subject {
  kind: string
  id: string
}

/** The running operation of `subject` among `operations`. */
export function operationOn(operations: readonly OperationRow[], subject: Subject): OperationRow | undefined {
  return operations.find(
    (operation) =>
      operation.state === 'running' && operation.subject_kind === subject.kind && operation.subject_id === subject.id,
  )
}

async function findRunningOperation(db: Db, subject: Subject): Promise<OperationRow | undefined> {
  return await db
    .selectFrom('operations')
    .selectAll()
    .where('subject_kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .where('state', '=', 'running')
    .executeTakeFirst()
}

/** Operations that run on a cluster and on its instances. */
export async function listRunningOperations(db: Db, clusterId: string): Promise<OperationRow[]> {
  return await db
    .selectFrom('operations')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('state', '=', 'running')
    .execute()
}

/** The query of the operations on subjects of these kinds, to be narrowed. */
export function operationsOn(db: Db, kinds: readonly string[]) {
  return db.selectFrom('operations').selectAll().where('subject_kind', 'in', kinds)
}

/** An operation as JSON in another query has it: JSON knows no times. */
export type OperationColumns = Omit<OperationRow, 'started_at' | 'deadline_at' | 'ended_at'> & {
  started_at: string
  deadline_at: string
}

/** For a query: the running operation of the subject that it names, or null. */
export function runningOperationOf(kind: string, id: Expression<string>): RawBuilder<OperationColumns | null> {
  return sql<OperationColumns | null>`(
    select row_to_json(o) from operations as o
    where o.subject_kind = ${kind} and o.subject_id = ${id} and o.state = 'running')`
}

/** The last `limit` operations of a kind to be done, as a table of a query: cluster_id, started_at, ended_at. */
export function lastDone(kind: string, limit: number): RawBuilder<unknown> {
  return sql`(
    select cluster_id, started_at, ended_at from operations
    where kind = ${kind} and state = 'done' order by ended_at desc limit ${limit})`
}

export interface NewOperation {
  subject: Subject
  owner: string
  clusterId: string | null
  kind: string
  /** Planned steps in order; the first begins at once. */
  steps: readonly string[]
  at: Date
  deadlineMs: number
  /** Userid; null: the system. */
  by: string | null
  /** The reason with which an operation that still runs on the subject ends. */
  superseded: StoredReason
}

/** Opens an operation on a subject; one that still runs there is canceled as superseded first. Gives its id. */
export async function insertOperation(trx: Trx, operation: NewOperation): Promise<string> {
  const { subject, owner, clusterId, kind, steps, at, deadlineMs, by, superseded } = operation
  const running = await findRunningOperation(trx, subject)
  if (running) await endOperation(trx, running, { state: 'canceled', reason: superseded, at })
  const id = newId('op')
  await trx
    .insertInto('operations')
    .values({
      id,
      owner,
      subject_kind: subject.kind,
      subject_id: subject.id,
      cluster_id: clusterId,
      kind,
      state: 'running',
      steps: JSON.stringify(beginSteps(steps, at)),
      asked_by: by,
      started_at: at,
      deadline_at: new Date(at.getTime() + deadlineMs),
    })
    .execute()
  return id
}

/** Ends `operation`; `reason` says why it did not reach its goal. One that has ended stays as it is. */
export async function endOperation(
  trx: Trx,
  operation: OperationRow,
  { state, reason, at }: { state: 'done' | 'failed' | 'canceled'; reason: StoredReason | null; at: Date },
): Promise<void> {
  await trx
    .updateTable('operations')
    .set({
      state,
      ended_at: at,
      error: reason && JSON.stringify(reason),
      steps: JSON.stringify(endSteps(operation.steps, state, at, reason)),
    })
    .where('id', '=', operation.id)
    .where('state', '=', 'running')
    .execute()
}

/** `step` of a running operation begins; `detail` belongs to the step that it ends. */
export async function advanceOperation(
  trx: Trx,
  operation: OperationRow,
  step: string,
  at: Date,
  detail: StoredReason | null = null,
): Promise<void> {
  await trx
    .updateTable('operations')
    .set({ steps: JSON.stringify(enterStep(operation.steps, step, at, detail)) })
    .where('id', '=', operation.id)
    .execute()
}

export async function moveDeadline(trx: Trx, operation: OperationRow, deadline: Date): Promise<void> {
  await trx.updateTable('operations').set({ deadline_at: deadline }).where('id', '=', operation.id).execute()
}

/** The operations on clusters that run past their deadline, as a table of a query: cluster_id, deadline_at. */
export function lateOperations(now: Date): RawBuilder<unknown> {
  return sql`(select cluster_id, deadline_at from operations
    where state = 'running' and deadline_at < ${now} and cluster_id is not null)`
}

/** Operations that run though their deadline has passed. */
export async function countLateOperations(db: Db, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'running')
    .where('deadline_at', '<', now)
    .executeTakeFirstOrThrow()
  return count
}
