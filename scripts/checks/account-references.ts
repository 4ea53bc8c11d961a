/**
 * Tables refer to an account by its id, which outlives its DID (`accounts.account_id`). Those that still hold the DID
 * stand here, by their constraints; the list only shrinks: one that is not on it fails the check, and so does one that
 * is on it and gone.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const byDid: readonly string[] = [
  'account_alert_rules_owner_fkey',
  'adopted_captures_userid_fkey',
  'backups_owner_fkey',
  'billing_accounts_userid_fkey',
  'billing_mails_userid_fkey',
  'card_refunds_userid_fkey',
  'card_setups_userid_fkey',
  'client_backups_owner_fkey',
  'client_prefixes_owner_fkey',
  'clock_jumps_userid_fkey',
  'clusters_owner_fkey',
  'coupon_cards_userid_fkey',
  'coupon_redemptions_userid_fkey',
  'credentials_userid_fkey',
  'credit_note_items_userid_fkey',
  'credit_notes_userid_fkey',
  'disputes_userid_fkey',
  'document_copies_userid_fkey',
  'domains_userid_fkey',
  'due_items_userid_fkey',
  'dunnings_userid_fkey',
  'email_codes_userid_fkey',
  'instances_owner_fkey',
  'invoice_files_userid_fkey',
  'invoice_items_userid_fkey',
  'invoices_userid_fkey',
  'ledger_books_userid_fkey',
  'mails_userid_fkey',
  'meter_readings_owner_fkey',
  'operations_owner_fkey',
  'parked_accounts_userid_fkey',
  'payment_methods_userid_fkey',
  'payments_userid_fkey',
  'promo_grants_userid_fkey',
  'request_keys_owner_fkey',
  'sessions_userid_fkey',
  'sign_in_codes_userid_fkey',
  'spend_caps_userid_fkey',
  'subscription_items_userid_fkey',
  'subscriptions_userid_fkey',
  'traffic_allowances_userid_fkey',
  'travels_userid_fkey',
  'usage_credits_userid_fkey',
  'usage_notices_userid_fkey',
  'usage_readings_userid_fkey',
  'vault_repos_owner_fkey',
  'vault_usage_owner_fkey',
]

/** The foreign keys to an account's DID that are there after these migrations, in order. */
export function referencesByDid(migrations: readonly string[]): string[] {
  const left = new Map<string, { table: string; column: string }>()
  for (const statement of migrations.flatMap((text) => text.replace(/--.*$/gm, '').split(';'))) {
    const table =
      /\b(?:create (?:unlogged )?table|alter table)\s+(?:if (?:not )?exists\s+)?(\w+)/i.exec(statement)?.[1] ?? ''
    for (const [, constraint = ''] of statement.matchAll(/\bdrop constraint (\w+)/gi)) left.delete(constraint)
    for (const [, column] of statement.matchAll(/\bdrop column (\w+)/gi))
      for (const [key, at] of left) if (at.table === table && at.column === column) left.delete(key)
    const dropped = /\bdrop table (\w+)/i.exec(statement)?.[1]
    for (const [key, at] of left) if (at.table === dropped) left.delete(key)
    const keys = /(\w+) text\b[^,;]*?constraint (\w+_fkey)\s+references accounts\b(?! ?\(account_id\))/gi
    for (const [, column = '', constraint = ''] of statement.matchAll(keys)) left.set(constraint, { table, column })
  }
  return [...left.keys()].sort()
}

/** @param known those that may still be there */
export function findDidReferences(migrations: readonly string[], known: readonly string[] = byDid): string[] {
  const found = referencesByDid(migrations)
  return [
    ...found
      .filter((one) => !known.includes(one))
      .map((one) => `${one}: a table refers to an account by its account_id, not by its DID`),
    ...known
      .filter((one) => !found.includes(one))
      .map((one) => `${one}: gone; take it from the list in scripts/checks/account-references.ts`),
  ]
}

export function findAccountReferenceProblems(root: string): string[] {
  const files = globSync('apps/server/migrations/*.sql', { cwd: root }).sort()
  return findDidReferences(files.map((file) => readFileSync(join(root, file), 'utf8')))
}
