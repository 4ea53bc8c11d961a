import { describeBrowsing } from '../testing/browse-conformance.ts'
import { newestRestic } from '../testing/supported-restics.ts'

describeBrowsing(newestRestic)
