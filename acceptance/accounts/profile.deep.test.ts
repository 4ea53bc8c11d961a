import { describeProfile } from './profile-in-locale.ts'

describeProfile('en-US')
