/** The console's texts, in the parts that it fetches apart. */
import type atStart from '../en-US/console/at-start.ts'
import type beyondHome from '../en-US/console/beyond-home.ts'
import type monitoring from '../en-US/console/clusters-monitoring.json'
import type operator from '../en-US/console/operator.json'
import type signedIn from '../en-US/console/signed-in.ts'
import { byLocale } from './by-locale.ts'

export type ConsoleTexts = typeof atStart & typeof signedIn & typeof beyondHome & typeof monitoring & typeof operator

export const consoleTexts = {
  atStart: byLocale(import.meta.glob<{ default: object }>('../*/console/at-start.ts')),
  signedIn: byLocale(import.meta.glob<{ default: object }>('../*/console/signed-in.ts')),
  beyondHome: byLocale(import.meta.glob<{ default: object }>('../*/console/beyond-home.ts')),
  monitoring: byLocale(import.meta.glob<{ default: object }>('../*/console/clusters-monitoring.json')),
  operator: byLocale(import.meta.glob<{ default: object }>('../*/console/operator.json')),
}
