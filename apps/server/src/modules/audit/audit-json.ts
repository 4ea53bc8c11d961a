import { AuditFacts, type AuditRecord } from '@atoll/contract/audit'
import type { AuditReader, NamedRow } from './audit-store.ts'

/**
 * A record as `reader` sees it. Where somebody else did it, an operator for one, their session and address are their
 * own affair: an Admin alone sees them.
 */
export function toAuditRecord(row: NamedRow, reader: AuditReader): AuditRecord {
  // Whom of the staff it was is not told to the customer; the signature names the key.
  const isHidden = row.object_kind === 'support' && row.actor !== reader.did && reader.role !== 'Admin'
  const whence = reader.role === 'Admin' || row.actor === reader.did
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    actor: row.actor === null || isHidden ? null : { userid: row.actor, terminusName: row.actor_name },
    sessionId: whence ? row.session_id : null,
    ip: whence ? row.ip : null,
    action: row.action,
    object: {
      kind: row.object_kind,
      id: row.object_id,
      name: row.object_name,
      owner: row.owner === null ? null : { userid: row.owner, terminusName: row.owner_name },
    },
    before: readFacts(row.before),
    after: withoutApproval(readFacts(row.after)),
    isErased: row.is_erased,
  }
}

function readFacts(text: string | null): AuditRecord['before'] {
  return text === null ? null : AuditFacts.parse(JSON.parse(text))
}

/** Signatures are for verifying the log and are not shown to its readers. */
function withoutApproval(facts: AuditRecord['after']): AuditRecord['after'] {
  if (facts === null) return null
  const { approval: _, ...others } = facts
  return others
}
