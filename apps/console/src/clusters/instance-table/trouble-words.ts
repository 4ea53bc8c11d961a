import type { Translate } from '../../locales/text.ts'
import type { AnyInstance } from '../actions/cluster-dialogs-context.ts'

/** The fault of an instance in words; `lead`: that it is missing, where its error is another one. */
export function troubleWords({ missing, error }: Pick<AnyInstance, 'missing' | 'error'>, t: Translate) {
  const lead = missing ? t('cluster.instanceMissing') : undefined
  // The error of one that vanished begins with the same words, and goes on.
  if (lead !== undefined && error?.startsWith(lead.slice(0, -1))) return { rest: error }
  return { lead, rest: error ?? (missing ? t('instances.missingHelp') : '') }
}
