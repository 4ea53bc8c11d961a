import { describeJourney } from './journey-in-locale.ts'

// `journey.deep` has it in Chinese, on a phone.
describeJourney('en-US')
