import { describeFailures } from './failures-in-locale.ts'

describeFailures('en-US')
