import { locales } from '@atoll/contract/wire'
import { describeDriveScreens } from './drive-screens.ts'

for (const locale of locales) describeDriveScreens(locale)
