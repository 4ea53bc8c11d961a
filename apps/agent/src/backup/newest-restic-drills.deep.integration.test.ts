import { describeDrills } from './testing/drill-conformance.ts'
import { newestRestic } from './testing/supported-restics.ts'

describeDrills(newestRestic)
