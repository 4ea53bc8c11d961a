import { describeJourney } from './journey-in-locale.ts'

// `journey.whole` has it in Chinese, on a phone.
describeJourney('en-US')
