import { describeRestic } from './testing/restic-conformance.ts'
import { oldestRestic } from './testing/supported-restics.ts'

describeRestic(oldestRestic)
