import { describeDrills } from './testing/drill-conformance.ts'
import { oldestRestic } from './testing/supported-restics.ts'

describeDrills(oldestRestic)
