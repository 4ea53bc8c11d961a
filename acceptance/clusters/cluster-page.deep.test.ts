import { locales } from '@atoll/contract/wire'
import { testForgottenPassword, testWorkers } from './cluster-page-in-locale.ts'

for (const locale of locales) {
  testWorkers(locale)
  testForgottenPassword(locale)
}
