import type { AuditAction, AuditFacts, AuditKind } from '@atoll/contract/audit'
import type { Trx } from '../../platform/db/index.ts'
import { insertDraft } from './audit-store.ts'

/** The actor and the address of an act. The system also stands for the operator's own commands. */
export interface AuditSource {
  actor: { userid: string; sessionId: string | null } | 'system'
  /** Address of the client; null where there was none. */
  ip: string | null
}

/**
 * `account.setQuota` is about an account, `cluster.start` of a cluster: the part before the dot is the object's kind.
 */
type ActionOn<Kind extends AuditKind> = Extract<AuditAction, `${Kind}.${string}`>

export type AuditEntry = AuditSource &
  {
    [Kind in AuditKind]: {
      action: ActionOn<Kind>
      /** `owner` is null for what is the deployment's own. `name`: what people call it. */
      object: { kind: Kind; id: string; owner: string | null; name?: string | undefined }
    }
  }[AuditKind] & {
    /**
     * The object before and after: flat, in words or figures, never a secret. Null: there was nothing, or nothing is
     * left.
     */
    before?: AuditFacts | null
    after?: AuditFacts | null
  }

/**
 * Writes down what the caller's transaction does, with it: when the transaction commits the record takes its place in
 * the chain, when it is rolled back there is none. The time is the database's.
 */
export async function recordAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  const { actor, ip, action, object, before, after } = entry
  const by = actor === 'system' ? { userid: null, sessionId: null } : actor
  await insertDraft(trx, {
    actor: by.userid,
    session_id: by.sessionId,
    ip,
    action,
    object_kind: object.kind,
    object_id: object.id,
    object_name: object.name ?? null,
    owner: object.owner,
    before: factsText(before),
    after: factsText(after),
  })
}

/**
 * Records that an account is erased, as the last act of `trx`: when it commits, all records of acts on the objects of
 * `userid` lose their personal fields, and those of its own acts on objects of others lose the actor and the address.
 * This record names them. Of the account it keeps only the id.
 */
export async function recordErasure(
  trx: Trx,
  { userid, did, ...source }: AuditSource & { userid: string; did: string },
): Promise<void> {
  const by = source.actor === 'system' || source.actor.userid === userid ? undefined : source.actor
  await insertDraft(trx, {
    actor: by?.userid ?? null,
    session_id: by?.sessionId ?? null,
    ip: by ? source.ip : null,
    action: 'account.erase',
    object_kind: 'account',
    object_id: userid,
    object_name: null,
    owner: null,
    before: null,
    after: null,
    erases: did,
  })
}

/** Facts as the text that is hashed: keys in order, so that equal facts are equal texts. */
function factsText(facts: AuditFacts | null | undefined): string | null {
  if (!facts) return null
  const entries = Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(entries))
}
