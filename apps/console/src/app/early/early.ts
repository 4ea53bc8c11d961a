/** The script at the top of the page, built into a file of its own (`build/early-fetch.ts`): it must load nothing. */
import { askEarly } from './ask-early.ts'
import type { EarlyFacts } from './early-facts.ts'

/** Written in by the build. */
declare const earlyFacts: EarlyFacts

askEarly(earlyFacts)
