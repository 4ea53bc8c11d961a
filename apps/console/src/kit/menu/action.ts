import type { Icon } from '@tabler/icons-react'
import type { Translate } from '../../locales/text.ts'

/** Something a person can do, as data: every button and menu renders it the same way. */
export interface Action {
  key: string
  label: string
  icon: Icon
  onSelect: () => void
  /** Why it cannot be done now, in words; undefined: it can. */
  disabledReason?: string | undefined
  /** Being done. */
  busy?: boolean
  /** Destroys something. */
  danger?: boolean
  /** The action that the page is waiting for: filled if nothing else on the page waits for a person. */
  primary?: boolean
  /** How prominent: `main` has its word on a button, `side` its icon, `menu` stands only in the menu. */
  place: 'main' | 'side' | 'menu'
}

/** The server's facts about a thing's actions: those it allows a person, and the reasons for those it refuses. */
interface Allowed<Key extends string> {
  actions: readonly string[]
  refusals: Partial<Record<Key, string>>
}

/**
 * Of the `known` actions, in their order, those that are allowed, off where there is a reason `notNow`, and those that
 * are refused, with the reason; of `onlyWhenAllowed` nobody asks why not.
 */
export function explainActions<Key extends string>(
  known: Partial<Record<Key, Omit<Action, 'key'>>>,
  { actions, refusals }: Allowed<Key>,
  onlyWhenAllowed: ReadonlySet<Key>,
  notNow: string | undefined,
): Action[] {
  return Object.entries<Omit<Action, 'key'> | undefined>(known).flatMap(([name, action]) => {
    const key = name as Key // of an object with these keys
    if (!action) return []
    if (actions.includes(key)) return [{ key, ...action, disabledReason: notNow }]
    const disabledReason = onlyWhenAllowed.has(key) ? undefined : refusals[key]
    return disabledReason ? [{ key, ...action, disabledReason }] : []
  })
}

/** Possible actions first, refused ones after them; otherwise in their order. */
export function openFirst(actions: Action[]): Action[] {
  const isOpen = ({ disabledReason }: Action) => disabledReason === undefined
  return [...actions.filter(isOpen), ...actions.filter((action) => !isOpen(action))]
}

/** Verbs that have their object after them. */
const verbs: ReadonlySet<string> = new Set(['activate', 'start', 'restart', 'stop', 'retry', 'repair'])

/** The name of an action that the page has for several things: 'Restart Rangiroa', 'Rangiroa: Pay $5.00'. */
export function nameAction({ key, label }: Pick<Action, 'key' | 'label'>, name: string, t: Translate): string {
  return verbs.has(key)
    ? t('common.actOn', { action: label, name })
    : t('common.labelled', { label: name, value: label })
}
