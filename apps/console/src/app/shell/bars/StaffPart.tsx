import type { ComponentType } from 'react'
import { LazyPart } from '../../../kit/page/LazyPart.tsx'
import { loadOperatorTexts } from '../../../locales/language.ts'
import { useCurrentAccount } from '../../../session/account-store.ts'

type Frame = typeof import('../../../operator/area/OperatorFrame.tsx')

const loaders = new Map<keyof Frame, () => Promise<ComponentType<never>>>()

/** One loader a part: `LazyPart` takes another one for another part. */
function loaderOf<Part extends keyof Frame>(part: Part) {
  const load =
    loaders.get(part) ??
    (async () => {
      const [frame] = await Promise.all([import('../../../operator/area/OperatorFrame.tsx'), loadOperatorTexts()])
      return frame[part] as ComponentType<never>
    })
  loaders.set(part, load)
  return load as () => Promise<ComponentType<Parameters<Frame[Part]>[0]>> // of the part of this name
}

interface StaffPartProps<Part extends keyof Frame> {
  part: Part
  props: Parameters<Frame[Part]>[0]
}

/** A part of the frame that only staff have: nothing of it is fetched for customers. */
export function StaffPart<Part extends keyof Frame>({ part, props }: StaffPartProps<Part>) {
  const account = useCurrentAccount()
  const isLooking = account?.look !== undefined
  const isStaff = part === 'LookBar' ? isLooking : account?.staff != null && !isLooking
  return isStaff && <LazyPart load={loaderOf(part)} wanted onFailure={() => undefined} props={props} />
}
