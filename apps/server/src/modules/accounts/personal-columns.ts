/**
 * The columns in which the DID, the ID or the email of a person may stand, why, and how an erasure empties each. Every
 * other row refers to an account by its id. A test looks for them in every column of a database that all calls were
 * sent to (authorization/personal-columns.integration.test.ts).
 */
export interface PersonalColumn {
  why: string
  erase: Erase
}

/**
 * `rows`: those that match go. `put`: this takes the column's place where `where` matches. `with`: another part of an
 * erasure does it. A condition names the account by `:account`, `:did`, `:name`, `:email` and `:pseudonym`.
 */
export type Erase =
  | { rows: string }
  | { put: string; where: string }
  | { with: 'audit' | 'documents' | 'kept of staff' | 'gone at commit' }

const audit: PersonalColumn = {
  why: 'the personal fields of the audit log, which an erasure deletes (ADR 0010)',
  erase: { with: 'audit' },
}
const draft: PersonalColumn = {
  why: 'until the transaction commits, of who has no account yet',
  erase: { with: 'gone at commit' },
}
const rows = (why: string, where: string): PersonalColumn => ({ why, erase: { rows: where } })

/** In the order in which they are erased: what refers to a row before that row. */
export const personalColumns: Readonly<Record<string, PersonalColumn>> = {
  'email_codes.email': rows('an address that is being proven', 'userid = :account'),
  'email_codes.mailbox': rows('the same address, however it is written', 'userid = :account'),
  'sign_in_codes.asked_did': rows(
    'whom a code on a screen is for, for some minutes',
    'userid = :account or asked_did = :did',
  ),
  'mails.recipient': rows('where a mail goes or went', 'userid = :account'),
  'mails.params': rows('what a mail says, until it is sent', 'userid = :account'),
  'names.did': rows('who has an ID; nobody needs an account for that', 'did = :did'),
  'names.name': rows('the ID', 'did = :did'),
  'name_history.did': rows('whom an ID that ended is kept for', 'did = :did'),
  'name_history.name': rows('an ID that ended and is kept', 'did = :did'),
  'domain_members.did': rows('who has an ID under a domain; nobody needs an account for that', 'did = :did'),
  'domain_members.email': rows('where an invitation went', 'email = :email'),
  'domain_transfers.to_did': rows(
    'the member whom a domain is offered to; nobody needs an account for that',
    'to_did = :did or from_userid = :account',
  ),
  'domain_transfers.signed_jws': rows(
    'what the owner signed when the domain changed hands',
    'to_did = :did or from_userid = :account',
  ),
  'domains.full_string': {
    why: 'the signed credential, which names its holder',
    erase: { put: 'null', where: 'userid = :account' },
  },
  'invitation_mails.mailbox': rows(
    'whom an invitation was mailed to, within the hour',
    'sender = :account or mailbox = lower(:email)',
  ),
  'approvals.name': {
    why: 'whom an act of staff is about, as the wallet shows it',
    erase: { put: "''", where: 'name = :name or name = :did or strpos(statement, :account) > 0' },
  },
  'approvals.jws': { why: 'what the wallet of a staff member signed', erase: { with: 'kept of staff' } },
  'audit_drafts.object_id': draft,
  'audit_drafts.actor': draft,
  'audit_drafts.owner': draft,
  'audit_personal.actor': audit,
  'audit_personal.object_id': audit,
  'audit_personal.object_name': audit,
  'audit_personal.owner': audit,
  'audit_personal.before': audit,
  'audit_personal.after': audit,
  'document_copies.content': { why: 'whom an issued document names, as it was issued', erase: { with: 'documents' } },
  'invoice_files.bytes': { why: 'the document itself', erase: { with: 'documents' } },
  'account_exports.bytes': rows(
    'an archive of all about an account, for its owner, for seven days',
    'account_id = :account or asked_by = :account',
  ),
  'dids.did': rows('who registered; nobody needs an account for that', 'did = :did'),
  'accounts.email': { why: 'where its mails go', erase: { put: 'null', where: 'account_id = :account' } },
  'accounts.did': { why: 'who signs in to the account', erase: { put: ':pseudonym', where: 'account_id = :account' } },
}

/** Further columns and rows that say something about a person, and go with them. */
export const personalRows: readonly { table: string; column?: string; erase: Extract<Erase, object> }[] = [
  { table: 'accounts', column: 'avatar', erase: { put: 'null', where: 'account_id = :account' } },
  { table: 'avatars', erase: { rows: 'account_id = :account' } },
  { table: 'sessions', erase: { rows: 'userid = :account' } },
  { table: 'customer_notes', erase: { rows: 'account_id = :account' } },
  { table: 'support_looks', erase: { rows: 'account_id = :account' } },
  { table: 'support_consents', erase: { rows: 'account_id = :account' } },
  { table: 'news', erase: { rows: 'account_id = :account' } },
  { table: 'request_keys', erase: { rows: 'owner = :account' } },
  { table: 'alert_events', erase: { rows: 'owner = :account' } },
  { table: 'account_holds', column: 'text', erase: { put: "''", where: 'account_id = :account' } },
  { table: 'account_holds', column: 'answer', erase: { put: 'null', where: 'account_id = :account' } },
  { table: 'abuse_reports', column: 'text', erase: { put: "'–'", where: 'account_id = :account' } },
  { table: 'payment_methods', column: 'last4', erase: { put: "'0000'", where: 'userid = :account' } },
  { table: 'payment_methods', column: 'fingerprint', erase: { put: 'null', where: 'userid = :account' } },
  // The host of a cluster begins with its owner's name; the label rests by its hash (identity/resting-names.ts).
  {
    table: 'cluster_addresses',
    column: 'value',
    erase: {
      put: "'sha256:' || encode(sha256(convert_to(value, 'UTF8')), 'hex')",
      where: "account_id = :account and not starts_with(value, 'sha256:')",
    },
  },
  {
    table: 'clusters',
    column: 'host_label',
    erase: { put: "'gone-' || substr(id, 4)", where: "owner = :account and status in ('destroyed', 'canceled')" },
  },
  // Where a machine of the owner's own stands, and the key to its tunnel.
  ...(['direct_address', 'cloudflare_hostname', 'cloudflare_token'] as const).map((column) => ({
    table: 'clusters',
    column,
    erase: { put: 'null', where: "owner = :account and status in ('destroyed', 'canceled')" },
  })),
  ...(['host', 'network', 'workloads'] as const).map((column) => ({
    table: 'instances',
    column,
    erase: {
      put: 'null',
      where: "cluster_id in (select id from clusters where owner = :account and status in ('destroyed', 'canceled'))",
    },
  })),
  { table: 'clusters', column: 'name', erase: { put: 'id', where: 'owner = :account' } },
  { table: 'instances', column: 'install_log', erase: { put: "'[]'", where: 'owner = :account' } },
  // A program renews such a grant without signing in.
  { table: 'sts_grants', erase: { rows: 'prefix in (select prefix from client_prefixes where owner = :account)' } },
  { table: 'client_prefixes', column: 'server_ref', erase: { put: 'prefix', where: 'owner = :account' } },
  // From now on no grant is renewed: what is stored there goes, also of an account that had nothing but this.
  {
    table: 'client_prefixes',
    column: 'ended_at',
    erase: { put: 'coalesce(ended_at, now())', where: 'owner = :account' },
  },
  { table: 'client_backups', erase: { rows: 'owner = :account' } },
  { table: 'backups', column: 'name', erase: { put: 'id', where: 'owner = :account' } },
  { table: 'backups', column: 'paths', erase: { put: "'[]'::jsonb", where: 'owner = :account' } },
]
