import type { ConsoleTab } from '../console-tab.ts'

/** A screen of the console, or a layer over it, and the way to it. */
export interface ConsoleState {
  name: string
  path: string
  /** From the page as it opens to what is meant. */
  open?: (tab: ConsoleTab) => Promise<void>
  /**
   * To whom it is shown: `overdue` has a bill that is past due, `mailless` no email, `newcomer` has bought nothing,
   * `staff` is an operator, `looking` one who sees the sample account as its owner does, `held` is suspended; absent:
   * to the account with every situation.
   */
  who?: 'nobody' | 'overdue' | 'mailless' | 'newcomer' | 'staff' | 'looking' | 'held'
}
