/** The texts of the personal server's page. */
import type all from '../en-US/personal-server/all.ts'
import { byLocale } from './by-locale.ts'

export type PersonalServerTexts = typeof all

export const personalServerTexts = byLocale(import.meta.glob<{ default: object }>('../*/personal-server/all.ts'))
