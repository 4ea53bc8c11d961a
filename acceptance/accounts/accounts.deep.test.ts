import { locales } from '@atoll/contract/wire'
import { describeAccounts } from './accounts-in-locale.ts'

for (const locale of locales) describeAccounts(locale)
