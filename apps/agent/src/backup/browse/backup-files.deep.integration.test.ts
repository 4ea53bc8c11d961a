import { describeBrowsing } from '../testing/browse-conformance.ts'
import { oldestRestic } from '../testing/supported-restics.ts'

describeBrowsing(oldestRestic)
