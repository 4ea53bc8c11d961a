import { locales } from '@atoll/contract/wire'
import { describeFailures } from './failures-in-locale.ts'

for (const locale of locales) describeFailures(locale)
