import { describeIdentity } from './identity-in-locale.ts'

describeIdentity('en-US')
