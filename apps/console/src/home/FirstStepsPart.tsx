import { firstStepsShow } from '@atoll/contract/accounts'
import { useCall } from '../data/use-call.ts'
import { useFirstIdle } from '../kit/browser/first-idle.tsx'
import { LazyPart } from '../kit/page/LazyPart.tsx'
import { loadTextsBeyondHome } from '../locales/language.ts'

const load = async () => {
  const [{ FirstSteps }] = await Promise.all([import('../news/FirstSteps.tsx'), loadTextsBeyondHome()])
  return FirstSteps
}

/** The first steps, below all else, until they are done or dismissed; of who is past them nothing is fetched. */
export function FirstStepsPart() {
  const { steps = [], isDismissed = true } = useCall(firstStepsShow, {}, { enabled: useFirstIdle() }).data ?? {}
  const isWanted = !isDismissed && steps.some(({ isDone }) => !isDone)
  return isWanted && <LazyPart load={load} wanted onFailure={() => undefined} props={{ steps }} />
}
