/**
 * The columns in which the DID, the ID or the email of a person may stand, and why; they are what an erasure empties.
 * Every other row refers to an account by its id. A test looks for them in every column of a database that all calls
 * were sent to (authorization/personal-columns.integration.test.ts).
 */
export const personalColumns: Readonly<Record<string, string>> = {
  'accounts.did': 'who signs in to the account',
  'accounts.email': 'where its mails go',
  'email_codes.email': 'an address that is being proven',
  'email_codes.mailbox': 'the same address, however it is written',
  'sign_in_codes.asked_did': 'whom a code on a screen is for, for some minutes',
  'mails.recipient': 'where a mail goes or went',
  'mails.params': 'what a mail says, until it is sent',
  'dids.did': 'who registered; nobody needs an account for that',
  'names.did': 'who has an ID; nobody needs an account for that',
  'names.name': 'the ID',
  'name_history.did': 'whom an ID that ended is kept for',
  'name_history.name': 'an ID that ended and is kept',
  'domain_members.did': 'who has an ID under a domain; nobody needs an account for that',
  'domain_members.email': 'where an invitation went',
  'domain_transfers.to_did': 'the member whom a domain is offered to; nobody needs an account for that',
  'domain_transfers.signed_jws': 'what the owner signed when the domain changed hands',
  'domains.full_string': 'the signed credential, which names its holder',
  'invitation_mails.mailbox': 'whom an invitation was mailed to, within the hour',
  'approvals.name': 'whom an act of staff is about, as the wallet shows it',
  'approvals.jws': 'what the wallet of a staff member signed',
  'audit_drafts.object_id': 'until the transaction commits, of who has no account yet',
  'audit_drafts.actor': 'until the transaction commits, of who has no account yet',
  'audit_drafts.owner': 'until the transaction commits, of who has no account yet',
  'audit_personal.actor': 'the personal fields of the audit log, which an erasure deletes (ADR 0010)',
  'audit_personal.object_id': 'the personal fields of the audit log, which an erasure deletes (ADR 0010)',
  'audit_personal.object_name': 'the personal fields of the audit log, which an erasure deletes (ADR 0010)',
  'audit_personal.owner': 'the personal fields of the audit log, which an erasure deletes (ADR 0010)',
  'audit_personal.before': 'the personal fields of the audit log, which an erasure deletes (ADR 0010)',
  'audit_personal.after': 'the personal fields of the audit log, which an erasure deletes (ADR 0010)',
  'document_copies.content': 'whom an issued document names, as it was issued',
  'invoice_files.bytes': 'the document itself',
  'account_exports.bytes': 'an archive of all about an account, for its owner, for seven days',
}
