/** The texts of the wallet. */
import type all from '../en-US/wallet/all.ts'
import { byLocale } from './by-locale.ts'

export type WalletTexts = typeof all

export const walletTexts = byLocale(import.meta.glob<{ default: object }>('../*/wallet/all.ts'))
