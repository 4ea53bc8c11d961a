import { describeJourney } from './journey-in-locale.ts'

describeJourney('en-US')
